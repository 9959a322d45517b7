import type { Words } from './words.js';

export const nl: Words = {
  subject: '{site}: bevestiging gevraagd',
  title: 'Wilt u deze berichten ontvangen?',
  ask: 'Aan {site} is gevraagd u berichten te sturen over het volgende:',
  channel: 'Kanaal: {channel}',
  until: 'U ontvangt ze alleen als u dit bevestigt. Dat kan tot {time}. Als u niets doet, gebeurt er niets.',
  button: 'Ja, ik wil deze berichten',
  open: 'Naar de bevestigingspagina',
  mailFooter: '{site} vraagt u dit omdat uw adres daar is opgegeven. Was u dat niet? Dan hoeft u niets te doen.',
  linkFooter: 'Hebt u hier bij {site} niet om gevraagd? Dan kunt u dit negeren.',
  confirmed: { title: 'Bevestigd', text: 'Dank u, uw keuze is opgeslagen. U kunt deze pagina sluiten.' },
  already: { title: 'Al bevestigd', text: 'U hebt dit al bevestigd. U hoeft niets meer te doen.' },
  noLonger: {
    title: 'Niet meer bevestigd',
    text: 'U hebt dit eerder bevestigd en daarna anders gekozen. Deze link verandert niets meer.',
  },
  gets: 'U ontvangt: {topics}.',
  getsNot: 'U ontvangt niet: {topics}.',
  again: 'Wilt u deze berichten weer ontvangen? Vraag dan een nieuwe link aan waar u zich had aangemeld.',
  expired: {
    title: 'Deze link is verlopen',
    text: 'Er is niets gewijzigd. Wilt u de berichten nog ontvangen? Vraag dan een nieuwe link aan waar u zich had aangemeld.',
  },
  invalid: {
    title: 'Deze link werkt niet',
    text: 'De link is onvolledig of door een nieuwere vervangen. Open de link uit het nieuwste bericht of vraag een nieuwe aan.',
  },
  ended: {
    title: 'Deze link werkt niet',
    text: 'U hebt sindsdien geweigerd, of een nieuwere link is ervoor in de plaats gekomen. Open de link van het nieuwste bericht, of vraag een nieuwe aan waar u zich had aangemeld.',
  },
  failed: { title: 'Dat is niet gelukt', text: 'Probeer het zo meteen nog eens.' },
  onward: 'Verder',
  unsubscribeTitle: 'Afmelden?',
  unsubscribeAsk: 'U ontvangt van {site} geen berichten meer over het volgende:',
  unsubscribeFooter: 'Er verandert niets totdat u op de knop drukt.',
  unsubscribeButton: 'Afmelden',
  unsubscribed: { title: 'U bent afgemeld', text: 'U ontvangt deze berichten niet meer.' },
  imprint: 'Bedrijfsgegevens',
  privacy: 'Privacyverklaring',
  undo: 'Ongedaan maken',
  undoUntil: 'Was dat een vergissing? U kunt het ongedaan maken tot {time}.',
  undone: { title: 'Ongedaan gemaakt', text: 'Uw bevestiging is ingetrokken. U ontvangt deze berichten niet.' },
  resubscribed: {
    title: 'U bent weer aangemeld',
    text: 'De afmelding is ongedaan gemaakt. U ontvangt deze berichten zoals voorheen.',
  },
  changedSince: {
    title: 'U hebt sindsdien opnieuw gekozen',
    text: 'Er is niets ongedaan gemaakt: uw nieuwere keuze geldt.',
  },
  undoOver: {
    title: 'Dit kan niet meer ongedaan worden gemaakt',
    text: 'Dat kan maar korte tijd. Er is niets gewijzigd.',
  },
};
