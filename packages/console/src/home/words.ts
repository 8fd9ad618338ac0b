import { inBoth } from '../words/speak.ts';

export const words = inBoth(
  {
    ending: 'Expiring soon',
    endingText: (until: string) => `Domains that expire before ${until}.`,
    allQuiet: 'No domains expire soon',
    flight: 'In progress',
    nothing: 'Nothing in progress',
    recent: 'Recent operations',
    noRecent: 'No operations yet',
    noRecentText: 'Completed orders and changes appear here.',
    money: 'Balance',
    balance: 'Available balance',
    held: 'On hold',
    credit: 'Credit limit',
    all: 'All domains',
  },
  {
    ending: 'Segera berakhir',
    endingText: (until: string) => `Domain yang berakhir sebelum ${until}.`,
    allQuiet: 'Tidak ada domain yang segera berakhir',
    flight: 'Sedang berjalan',
    nothing: 'Tidak ada yang sedang berjalan',
    recent: 'Operasi terbaru',
    noRecent: 'Belum ada operasi',
    noRecentText: 'Pesanan dan perubahan yang selesai tampil di sini.',
    money: 'Saldo',
    balance: 'Saldo tersedia',
    held: 'Ditahan',
    credit: 'Batas kredit',
    all: 'Semua domain',
  },
);
