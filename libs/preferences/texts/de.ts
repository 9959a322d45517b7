import type { Words } from './words.js';

export const de: Words = {
  subject: '{site}: Bitte bestätigen Sie',
  title: 'Möchten Sie diese Nachrichten?',
  ask: '{site} wurde gebeten, Ihnen Nachrichten zu Folgendem zu senden:',
  channel: 'Kanal: {channel}',
  until: 'Sie erhalten sie nur, wenn Sie zustimmen. Das ist möglich bis {time}. Wenn Sie nichts tun, passiert nichts.',
  button: 'Ja, ich möchte diese Nachrichten',
  open: 'Zur Bestätigungsseite',
  mailFooter:
    '{site} fragt Sie, weil Ihre Adresse dort angegeben wurde. Falls Sie das nicht waren, müssen Sie nichts tun.',
  linkFooter: 'Falls Sie {site} nicht darum gebeten haben, beachten Sie dies einfach nicht.',
  confirmed: { title: 'Bestätigt', text: 'Vielen Dank, Ihre Wahl ist gespeichert. Sie können diese Seite schließen.' },
  already: { title: 'Bereits bestätigt', text: 'Sie haben dies schon bestätigt. Es ist nichts mehr zu tun.' },
  noLonger: {
    title: 'Nicht mehr bestätigt',
    text: 'Sie haben dies einmal bestätigt und sich seitdem anders entschieden. Dieser Link ändert nichts mehr.',
  },
  gets: 'Sie erhalten: {topics}.',
  getsNot: 'Sie erhalten nicht: {topics}.',
  again:
    'Wenn Sie diese Nachrichten wieder möchten, fordern Sie dort, wo Sie sich angemeldet haben, einen neuen Link an.',
  expired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Es wurde nichts geändert. Wenn Sie die Nachrichten noch möchten, fordern Sie dort, wo Sie sich angemeldet haben, einen neuen Link an.',
  },
  invalid: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Er ist unvollständig oder wurde durch einen neueren ersetzt. Öffnen Sie den Link aus der neuesten Nachricht oder fordern Sie einen neuen an.',
  },
  ended: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Sie haben seitdem abgelehnt, oder ein neuerer Link ist an seine Stelle getreten. Öffnen Sie den Link der neuesten Nachricht, oder fordern Sie dort, wo Sie sich angemeldet haben, einen neuen an.',
  },
  failed: { title: 'Das hat nicht geklappt', text: 'Bitte versuchen Sie es gleich noch einmal.' },
  onward: 'Weiter',
  unsubscribeTitle: 'Abmelden?',
  unsubscribeAsk: 'Sie erhalten von {site} keine Nachrichten mehr zu Folgendem:',
  unsubscribeFooter: 'Es ändert sich nichts, bevor Sie auf die Schaltfläche drücken.',
  unsubscribeButton: 'Abmelden',
  unsubscribed: { title: 'Sie sind abgemeldet', text: 'Sie erhalten keine dieser Nachrichten mehr.' },
  imprint: 'Impressum',
  privacy: 'Datenschutzerklärung',
  undo: 'Rückgängig machen',
  undoUntil: 'War das ein Versehen? Sie können es bis {time} rückgängig machen.',
  undone: {
    title: 'Rückgängig gemacht',
    text: 'Ihre Bestätigung ist zurückgenommen. Sie erhalten diese Nachrichten nicht.',
  },
  resubscribed: {
    title: 'Sie sind wieder angemeldet',
    text: 'Das Abmelden wurde rückgängig gemacht. Sie erhalten diese Nachrichten wie zuvor.',
  },
  changedSince: {
    title: 'Sie haben inzwischen neu gewählt',
    text: 'Es wurde nichts rückgängig gemacht: Ihre neuere Wahl gilt.',
  },
  undoOver: {
    title: 'Das lässt sich nicht mehr rückgängig machen',
    text: 'Das ist nur für kurze Zeit möglich. Es wurde nichts geändert.',
  },
};
