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
  expired: {
    title: 'Bu bağlantının süresi doldu',
    text: 'Hiçbir şey değiştirilmedi. İletileri hâlâ istiyorsanız kaydolduğunuz yerden yeni bir bağlantı isteyin.',
  },
  invalid: {
    title: 'Bu bağlantı çalışmıyor',
    text: 'Bağlantı eksik ya da yerine daha yenisi geçmiş. En son iletideki bağlantıyı açın veya yeni bir bağlantı isteyin.',
  },
  failed: { title: 'Bu işe yaramadı', text: 'Lütfen birazdan yeniden deneyin.' },
  onward: 'Devam et',
  unsubscribeTitle: 'Abonelikten çıkılsın mı?',
  unsubscribeAsk: 'Şu konuda artık ileti almayacaksınız ({site}):',
  unsubscribeFooter: 'Düğmeye basmadığınız sürece hiçbir şey değişmez.',
  unsubscribeButton: 'Abonelikten çık',
  unsubscribed: { title: 'Abonelikten çıktınız', text: 'Bu iletileri artık almayacaksınız.' },
};
