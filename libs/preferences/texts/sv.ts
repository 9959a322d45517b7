import type { Words } from './words.js';

export const sv: Words = {
  subject: '{site}: bekräfta',
  title: 'Vill du ha de här meddelandena?',
  ask: '{site} har ombetts att skicka meddelanden till dig om följande:',
  channel: 'Kanal: {channel}',
  until: 'Du får dem bara om du bekräftar. Det kan du göra till och med {time}. Om du inte gör något händer ingenting.',
  button: 'Ja, jag vill ha meddelandena',
  open: 'Till bekräftelsesidan',
  mailFooter: '{site} frågar eftersom din adress har angetts där. Om det inte var du behöver du inte göra något.',
  linkFooter: 'Om du inte har bett {site} om detta kan du bortse från det.',
  confirmed: { title: 'Bekräftat', text: 'Tack, ditt val är sparat. Du kan stänga sidan.' },
  already: { title: 'Redan bekräftat', text: 'Du har redan bekräftat detta. Du behöver inte göra något mer.' },
  expired: {
    title: 'Länken har gått ut',
    text: 'Ingenting har ändrats. Om du fortfarande vill ha meddelandena kan du be om en ny länk där du anmälde dig.',
  },
  invalid: {
    title: 'Länken fungerar inte',
    text: 'Den är ofullständig eller har ersatts av en nyare. Öppna länken i det senaste meddelandet eller be om en ny.',
  },
  failed: { title: 'Det fungerade inte', text: 'Försök igen om en stund.' },
  onward: 'Fortsätt',
  unsubscribeTitle: 'Avsluta prenumerationen?',
  unsubscribeAsk: 'Du får inga fler meddelanden från {site} om följande:',
  unsubscribeFooter: 'Ingenting ändras förrän du trycker på knappen.',
  unsubscribeButton: 'Avsluta prenumerationen',
  unsubscribed: { title: 'Prenumerationen är avslutad', text: 'Du får inte fler av de här meddelandena.' },
};
