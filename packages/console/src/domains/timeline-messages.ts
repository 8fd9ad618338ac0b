import { defineMessages } from '../messages/locale.ts';

export const messages = defineMessages(
  {
    waitingFor: {
      reseller: 'Action required',
      registry: 'Waiting for registry',
      platform: 'In progress',
      nobody: 'No action needed',
    },
    waitingForAsCustomer: {
      reseller: 'Waiting for your provider',
      registry: 'Waiting for registry',
      platform: 'In progress',
      nobody: 'No action needed',
    },
    actors: { reseller: 'By you', registry: 'By the registry', platform: 'Automatic', nobody: 'No action' },
    byProvider: 'By your provider',
    /** Milestones of third parties. */
    actorsOfMilestones: { verify_by: 'By the registrant', mail_target_lapses: 'By the recipient' } as Readonly<
      Record<string, string | undefined>
    >,
    priceLines: { renewal: 'Renewal', restore: 'Restore', privacy: 'Privacy protection' } as Readonly<
      Record<string, string | undefined>
    >,
    ownPrices: 'Prices are your cost.',
    registrantMustConfirm: 'Registrant must confirm the email address',
    confirmEmail: 'Confirm the registrant’s email address',
    waitingForPayment: 'Unpaid order',
    /** Titles of a domain that needs no action now, by the key of its status. */
    titlesAt: {
      live: (at) => `Expires ${at}`,
      let_expire: (at) => `Will be deleted ${at}`,
      renewal: (at) => `Automatic renewal on ${at}`,
    } as Readonly<Record<string, ((at: string) => string) | undefined>>,
    until: 'until',
    by: 'by',
    timeline: 'Timeline',
    timelineText: {
      manual: 'Dates if the domain is not renewed. Auto-renew is off.',
      renew: 'Dates with auto-renew, at today’s balance and price.',
      renew_once: 'Dates with one automatic renewal, at today’s balance and price.',
      delete: 'The domain will not be renewed. It is deleted at the end of its term.',
    },
    timelineTextOfCustomer: {
      renew: 'Dates with auto-renew.',
      renew_once: 'Dates with one automatic renewal.',
    } as Readonly<Record<string, string | undefined>>,
    timelineOfDeleted: 'Dates if the domain is not restored.',
    today: 'Today',
    phases: { term: 'Paid', grace: 'Grace period', redemption: 'Redemption period', leaving: 'Pending delete' },
    phaseUntil: (phase: string, until: string) => `${phase} until ${until}`,
    paidUntil: (paid: string, until: string) => `Paid until ${paid}, with auto-renew until ${until}`,
    removedTexts: {
      deleted: (at) => `The domain was deleted on ${at}. Anyone can register it.`,
      dropped: (at) => `The domain was deleted on ${at}. Anyone can register it.`,
      transferred_away: (at) => `The domain was transferred to another registrar on ${at}.`,
      moved: (at) => `The domain was moved to another reseller on ${at}.`,
      refused: (at) => `The order was refused on ${at}. The domain is not in this account.`,
      cancelled: (at) => `The order was cancelled on ${at}. The domain is not in this account.`,
    } as Readonly<Record<string, (at: string) => string>>,
    // English texts come from the service.
    milestones: {} as Readonly<Record<string, string>>,
    statusTexts: {} as Readonly<Record<string, string>>,
    statusTextsForReseller: {
      unpaid:
        'The domain is not reserved. To mark the order as paid, run it without payment or cancel it, use the API (see the guide “Bill your customers”).',
    } as Readonly<Record<string, string | undefined>>,
    statusTextsForCustomer: {
      unpaid:
        'The order has not started and the domain is not reserved. Adding funds does not start it: contact your provider.',
      live: 'The domain is not renewed automatically.',
    } as Readonly<Record<string, string | undefined>>,
  },
  {
    waitingFor: {
      reseller: 'Perlu tindakan',
      registry: 'Menunggu registri',
      platform: 'Sedang berjalan',
      nobody: 'Tidak perlu tindakan',
    },
    waitingForAsCustomer: {
      reseller: 'Menunggu penyedia Anda',
      registry: 'Menunggu registri',
      platform: 'Sedang berjalan',
      nobody: 'Tidak perlu tindakan',
    },
    actors: { reseller: 'Oleh Anda', registry: 'Oleh registri', platform: 'Otomatis', nobody: 'Tanpa tindakan' },
    byProvider: 'Oleh penyedia Anda',
    actorsOfMilestones: { verify_by: 'Oleh pemilik domain', mail_target_lapses: 'Oleh penerima' },
    priceLines: { renewal: 'Perpanjangan', restore: 'Pemulihan', privacy: 'Perlindungan privasi' },
    ownPrices: 'Harga adalah biaya Anda.',
    registrantMustConfirm: 'Pemilik domain harus mengonfirmasi alamat email',
    confirmEmail: 'Konfirmasi alamat email pemilik domain',
    waitingForPayment: 'Pesanan belum dibayar',
    titlesAt: {
      live: (at) => `Berakhir pada ${at}`,
      let_expire: (at) => `Akan dihapus pada ${at}`,
      renewal: (at) => `Perpanjangan otomatis pada ${at}`,
    },
    until: 'sampai',
    by: 'paling lambat',
    removedTexts: {
      deleted: (at) => `Domain dihapus pada ${at}. Siapa pun dapat mendaftarkannya.`,
      dropped: (at) => `Domain dihapus pada ${at}. Siapa pun dapat mendaftarkannya.`,
      transferred_away: (at) => `Domain ditransfer ke registrar lain pada ${at}.`,
      moved: (at) => `Domain dipindahkan ke reseller lain pada ${at}.`,
      refused: (at) => `Pesanan ditolak pada ${at}. Domain tidak ada di akun ini.`,
      cancelled: (at) => `Pesanan dibatalkan pada ${at}. Domain tidak ada di akun ini.`,
    },
    timeline: 'Linimasa',
    timelineText: {
      manual: 'Tanggal jika domain tidak diperpanjang. Perpanjangan otomatis nonaktif.',
      renew: 'Tanggal dengan perpanjangan otomatis, menurut saldo dan harga hari ini.',
      renew_once: 'Tanggal dengan satu kali perpanjangan otomatis, menurut saldo dan harga hari ini.',
      delete: 'Domain tidak akan diperpanjang dan dihapus pada akhir masa aktifnya.',
    },
    timelineTextOfCustomer: {
      renew: 'Tanggal dengan perpanjangan otomatis.',
      renew_once: 'Tanggal dengan satu kali perpanjangan otomatis.',
    },
    timelineOfDeleted: 'Tanggal jika domain tidak dipulihkan.',
    today: 'Hari ini',
    phases: {
      term: 'Sudah dibayar',
      grace: 'Masa tenggang',
      redemption: 'Masa penebusan',
      leaving: 'Menunggu penghapusan',
    },
    phaseUntil: (phase: string, until: string) => `${phase} sampai ${until}`,
    paidUntil: (paid: string, until: string) => `Dibayar sampai ${paid}, dengan perpanjangan otomatis sampai ${until}`,
    milestones: {
      expires: 'Masa aktif domain berakhir.',
      renewal: 'Domain diperpanjang otomatis.',
      renewal_fails: 'Perpanjangan otomatis akan gagal. Perpanjangan dicoba lagi setiap hari.',
      'renew expires': 'Masa aktif berikutnya berakhir. Domain diperpanjang otomatis lagi sebelum tanggal ini.',
      'renew_once expires': 'Masa aktif berikutnya berakhir. Perpanjangan selanjutnya manual.',
      'delete deleted': 'Domain dihapus karena tidak diperpanjang.',
      auto_renew:
        'Registri memperpanjang domain satu tahun saat masa aktif berakhir. Anda hanya membayar jika memperpanjang.',
      interrupted: 'Jika tidak diperpanjang, situs web dan email domain berhenti berfungsi.',
      renew_by: 'Batas akhir perpanjangan dengan harga biasa.',
      deleted: 'Jika tidak diperpanjang, domain dihapus.',
      grace_ends: 'Masa tenggang di registri berakhir. Tanggal ini tidak memperpanjang masa tenggang Anda.',
      redemption_ends: 'Batas akhir pemulihan domain.',
      dropped: 'Domain tersedia untuk umum.',
      transferred_away: 'Jika tidak ditolak, domain ditransfer ke registrar lain.',
      transfer_decided:
        'Batas keputusan transfer. Jika registrar saat ini tidak menjawab, transfer biasanya disetujui.',
      privacy_ends: 'Perlindungan privasi berakhir.',
      verify_by: 'Hari terakhir bagi pemilik domain untuk mengonfirmasi alamat emailnya.',
      'verify_by suspends':
        'Hari terakhir bagi pemilik domain untuk mengonfirmasi alamat emailnya. Jika tidak, domain ditangguhkan.',
      auth_code_ends: 'Kode transfer tidak berlaku lagi.',
      mail_target_lapses: 'Tautan konfirmasi penerusan email yang dikirim kepada penerima berakhir.',
      'mail_target_lapses to': 'Tautan konfirmasi penerusan email kepada ADDRESS berakhir.',
      move_lock_ends:
        'Sampai tanggal ini domain belum dapat dipindahkan ke reseller lain, karena baru didaftarkan, ditransfer, atau berganti pemilik.',
      transfer_lock_ends:
        'Sampai tanggal ini domain belum dapat ditransfer ke registrar lain, karena baru didaftarkan, ditransfer, atau berganti pemilik.',
      certificate_renewed: 'Sertifikat untuk penerusan HTTPS diperbarui.',
      forwarding_stops: 'Jika tidak diperpanjang, penerusan web berhenti.',
      mail_forwarding_stops: 'Jika tidak diperpanjang, email untuk domain ini ditolak.',
    },
    statusTextsForCustomer: {
      unpaid:
        'Pesanan belum dijalankan dan domain belum dipesan di registri. Menambah saldo tidak menjalankannya: hubungi penyedia Anda.',
      live: 'Domain tidak diperpanjang otomatis.',
    },
    statusTexts: {
      redemption: 'Domain sudah dihapus. Pulihkan, atau nanti siapa pun dapat mendaftarkannya.',
      pending_restore: 'Laporan pemulihan harus dikirim.',
      pending_delete: 'Domain ini segera dihapus dan tidak dapat dipulihkan.',
      pending_transfer: 'Registrar lain meminta transfer. Setujui atau tolak. Tanpa jawaban, domain ditransfer.',
      pending: 'Pesanan belum selesai.',
      removed: 'Domain tidak lagi ada di akun ini.',
      over: 'Perpanjang sekarang, atau domain dihapus.',
      over_resolving:
        'Perpanjang sekarang, atau situs web dan email domain berhenti berfungsi. Setelah itu domain dihapus.',
      unconfirmed: 'Pemilik domain harus mengonfirmasi alamat emailnya lewat tautan di email.',
      live: 'Domain tidak diperpanjang otomatis. Perpanjang sebelum tanggal ini, atau aktifkan perpanjangan otomatis.',
      renewal: 'Domain diperpanjang otomatis.',
      renewal_fails: 'Perpanjangan otomatis akan gagal. Periksa saldo dan batas harga.',
      let_expire: 'Domain dihapus pada akhir masa aktifnya, sesuai pengaturan perpanjangan.',
    },
    statusTextsForReseller: {
      unpaid:
        'Domain belum dipesan di registri. Gunakan API untuk menandai pesanan sebagai dibayar, menjalankannya tanpa pembayaran, atau membatalkannya (lihat panduan “Bill your customers”).',
    },
  },
);
