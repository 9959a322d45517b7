import type { Words } from './words.js';

export const tr: Words = {
  subject: '{site}: lütfen onaylayın',
  title: 'Bu iletileri almak istiyor musunuz?',
  ask: '{site} için, size şu konuda ileti gönderilmesi istendi:',
  channel: 'Kanal: {channel}',
  until:
    'İletiler yalnızca onaylarsanız gönderilir. Onay için son tarih: {time}. Hiçbir şey yapmazsanız hiçbir şey olmaz.',
  button: 'Evet, bu iletileri istiyorum',
  open: 'Onay sayfasına git',
  mailFooter: '{site} bunu soruyor, çünkü adresiniz orada girildi. Bunu siz yapmadıysanız bir şey yapmanız gerekmez.',
  linkFooter: 'Bunu siz istemediyseniz ({site}) dikkate almayın.',
  confirmed: { title: 'Onaylandı', text: 'Teşekkürler, seçiminiz kaydedildi. Bu sayfayı kapatabilirsiniz.' },
  already: { title: 'Zaten onaylandı', text: 'Bunu daha önce onayladınız. Yapmanız gereken başka bir şey yok.' },
  noLonger: {
    title: 'Artık onaylı değil',
    text: 'Bunu daha önce onayladınız, sonra farklı bir seçim yaptınız. Bu bağlantı artık hiçbir şeyi değiştirmez.',
  },
  gets: 'Aldıklarınız: {topics}.',
  getsNot: 'Almadıklarınız: {topics}.',
  again: 'Bu iletileri yeniden almak istiyorsanız kaydolduğunuz yerden yeni bir bağlantı isteyin.',
  expired: {
    title: 'Bu bağlantının süresi doldu',
    text: 'Hiçbir şey değiştirilmedi. İletileri hâlâ istiyorsanız kaydolduğunuz yerden yeni bir bağlantı isteyin.',
  },
  invalid: {
    title: 'Bu bağlantı çalışmıyor',
    text: 'Bağlantı eksik ya da yerine daha yenisi geçmiş. En son iletideki bağlantıyı açın veya yeni bir bağlantı isteyin.',
  },
  ended: {
    title: 'Bu bağlantı çalışmıyor',
    text: 'O zamandan beri reddettiniz ya da yerini daha yeni bir bağlantı aldı. En yeni iletideki bağlantıyı açın veya kaydolduğunuz yerden yenisini isteyin.',
  },
  failed: { title: 'Bu işe yaramadı', text: 'Lütfen birazdan yeniden deneyin.' },
  onward: 'Devam et',
  unsubscribeTitle: 'Abonelikten çıkılsın mı?',
  unsubscribeAsk: 'Şu konuda artık ileti almayacaksınız ({site}):',
  unsubscribeFooter: 'Düğmeye basmadığınız sürece hiçbir şey değişmez.',
  unsubscribeButton: 'Abonelikten çık',
  unsubscribed: { title: 'Abonelikten çıktınız', text: 'Bu iletileri artık almayacaksınız.' },
  imprint: 'Yasal bilgiler',
  privacy: 'Gizlilik politikası',
  undo: 'Geri al',
  undoUntil: 'Yanlışlıkla mı oldu? Şu zamana kadar geri alabilirsiniz: {time}.',
  undone: { title: 'Geri alındı', text: 'Onayınız geri alındı. Bu iletileri almayacaksınız.' },
  resubscribed: {
    title: 'Aboneliğiniz yeniden etkin',
    text: 'İşlem geri alındı. Bu iletileri eskisi gibi alacaksınız.',
  },
  changedSince: {
    title: 'O zamandan beri yeni bir seçim yaptınız',
    text: 'Hiçbir şey geri alınmadı: daha yeni seçiminiz geçerlidir.',
  },
  undoOver: {
    title: 'Bu artık geri alınamaz',
    text: 'Bu yalnızca kısa bir süre için mümkündür. Hiçbir şey değiştirilmedi.',
  },
};
