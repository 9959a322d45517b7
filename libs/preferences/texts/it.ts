import type { Words } from './words.js';

export const it: Words = {
  subject: '{site}: conferma richiesta',
  title: 'Desidera ricevere questi messaggi?',
  ask: 'A {site} è stato chiesto di inviarle messaggi su quanto segue:',
  channel: 'Canale: {channel}',
  until:
    'Li riceverà solo se conferma. Può farlo fino al seguente momento: {time}. Se non fa nulla, non succede nulla.',
  button: 'Sì, desidero questi messaggi',
  open: 'Vai alla pagina di conferma',
  mailFooter:
    '{site} glielo chiede perché lì è stato indicato il suo indirizzo. Se la richiesta non è sua, non deve fare nulla.',
  linkFooter: 'Se la richiesta a {site} non è sua, la ignori semplicemente.',
  confirmed: { title: 'Confermato', text: 'Grazie, la sua scelta è stata salvata. Può chiudere questa pagina.' },
  already: { title: 'Già confermato', text: 'Ha già confermato. Non deve fare altro.' },
  noLonger: {
    title: 'Non più confermato',
    text: 'Aveva confermato e in seguito ha scelto diversamente. Questo link non cambia più nulla.',
  },
  gets: 'Riceve: {topics}.',
  getsNot: 'Non riceve: {topics}.',
  again: 'Se desidera di nuovo questi messaggi, chieda un nuovo link dove aveva fatto la richiesta.',
  expired: {
    title: 'Questo link è scaduto',
    text: 'Non è stato modificato nulla. Se desidera ancora i messaggi, chieda un nuovo link dove aveva fatto la richiesta.',
  },
  invalid: {
    title: 'Questo link non funziona',
    text: 'È incompleto oppure è stato sostituito da uno più recente. Apra il link dell’ultimo messaggio o ne chieda uno nuovo.',
  },
  ended: {
    title: 'Questo link non funziona',
    text: 'In seguito ha rifiutato, oppure un link più recente ne ha preso il posto. Apra il link del messaggio più recente, o ne chieda uno nuovo dove aveva fatto la richiesta.',
  },
  failed: { title: 'Non ha funzionato', text: 'Riprovi tra un momento.' },
  onward: 'Continua',
  unsubscribeTitle: 'Annullare l’iscrizione?',
  unsubscribeAsk: 'Non riceverà più messaggi da {site} su quanto segue:',
  unsubscribeFooter: 'Non cambia nulla finché non preme il pulsante.',
  unsubscribeButton: 'Annulla l’iscrizione',
  unsubscribed: { title: 'Iscrizione annullata', text: 'Non riceverà più questi messaggi.' },
  imprint: 'Note legali',
  privacy: 'Informativa sulla privacy',
  undo: 'Annulla questa scelta',
  undoUntil: 'È stato un errore? Può annullare fino al {time}.',
  undone: { title: 'Annullato', text: 'La sua conferma è ritirata. Non riceverà questi messaggi.' },
  resubscribed: {
    title: 'La sua iscrizione è di nuovo attiva',
    text: 'La cancellazione è stata annullata. Riceverà questi messaggi come prima.',
  },
  changedSince: {
    title: 'Nel frattempo ha scelto di nuovo',
    text: 'Nulla è stato annullato: vale la sua scelta più recente.',
  },
  undoOver: {
    title: 'Non è più possibile annullare',
    text: 'È possibile solo per poco tempo. Nulla è stato modificato.',
  },
};
