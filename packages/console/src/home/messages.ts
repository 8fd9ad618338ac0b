import { defineMessages } from '../messages/locale.ts';

export const messages = defineMessages(
  {
    ending: 'Expiring soon',
    endingText: (until: string) => `Domains that expire before ${until}.`,
    noneExpiring: 'No domains expire soon',
    inProgress: 'In progress',
    noneInProgress: 'Nothing in progress',
    recentOperations: 'Recent operations',
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
    noneExpiring: 'Tidak ada domain yang segera berakhir',
    inProgress: 'Sedang berjalan',
    noneInProgress: 'Tidak ada yang sedang berjalan',
    recentOperations: 'Operasi terbaru',
    noRecent: 'Belum ada operasi',
    noRecentText: 'Pesanan dan perubahan yang selesai tampil di sini.',
    money: 'Saldo',
    balance: 'Saldo tersedia',
    held: 'Ditahan',
    credit: 'Batas kredit',
    all: 'Semua domain',
  },
);
