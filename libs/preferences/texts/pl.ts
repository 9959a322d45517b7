import type { Words } from './words.js';

export const pl: Words = {
  subject: '{site}: prośba o potwierdzenie',
  title: 'Czy chcesz otrzymywać te wiadomości?',
  ask: '{site} – poproszono o wysyłanie Ci wiadomości na następujący temat:',
  channel: 'Kanał: {channel}',
  until:
    'Otrzymasz je tylko wtedy, gdy to potwierdzisz. Czas na potwierdzenie: do {time}. Jeśli nic nie zrobisz, nic się nie stanie.',
  button: 'Tak, chcę otrzymywać te wiadomości',
  open: 'Przejdź do strony potwierdzenia',
  mailFooter: '{site} pyta, ponieważ podano tam Twój adres. Jeśli to nie Ty, nie musisz nic robić.',
  linkFooter: 'Jeśli to nie Ty o to prosisz ({site}), po prostu to zignoruj.',
  confirmed: { title: 'Potwierdzono', text: 'Dziękujemy, Twój wybór został zapisany. Możesz zamknąć tę stronę.' },
  already: { title: 'Już potwierdzono', text: 'To zostało już wcześniej potwierdzone. Nie musisz nic więcej robić.' },
  noLonger: {
    title: 'Potwierdzenie już nie obowiązuje',
    text: 'To zostało kiedyś potwierdzone, a potem wybrano inaczej. Ten link niczego już nie zmienia.',
  },
  gets: 'Otrzymujesz: {topics}.',
  getsNot: 'Nie otrzymujesz: {topics}.',
  again: 'Jeśli chcesz znów otrzymywać te wiadomości, poproś o nowy link tam, gdzie wysłano zgłoszenie.',
  expired: {
    title: 'Ten link wygasł',
    text: 'Nic się nie zmieniło. Jeśli nadal chcesz otrzymywać te wiadomości, poproś o nowy link tam, gdzie wysłano zgłoszenie.',
  },
  invalid: {
    title: 'Ten link nie działa',
    text: 'Jest niekompletny lub został zastąpiony nowszym. Otwórz link z najnowszej wiadomości albo poproś o nowy.',
  },
  ended: {
    title: 'Ten link nie działa',
    text: 'Od tego czasu odmówiono zgody albo zastąpił go nowszy link. Otwórz link z najnowszej wiadomości albo poproś o nowy tam, gdzie wysłano zgłoszenie.',
  },
  failed: { title: 'Nie udało się', text: 'Spróbuj ponownie za chwilę.' },
  onward: 'Dalej',
  unsubscribeTitle: 'Zrezygnować z wiadomości?',
  unsubscribeAsk: 'Nie będziesz już otrzymywać wiadomości ({site}) na następujący temat:',
  unsubscribeFooter: 'Nic się nie zmieni, dopóki nie naciśniesz przycisku.',
  unsubscribeButton: 'Zrezygnuj',
  unsubscribed: { title: 'Zrezygnowano z wiadomości', text: 'Nie będziesz już otrzymywać tych wiadomości.' },
  imprint: 'Nota prawna',
  privacy: 'Polityka prywatności',
  undo: 'Cofnij',
  undoUntil: 'To była pomyłka? Można to cofnąć do {time}.',
  undone: { title: 'Cofnięto', text: 'Potwierdzenie zostało wycofane. Te wiadomości nie będą wysyłane.' },
  resubscribed: {
    title: 'Subskrypcja została przywrócona',
    text: 'Rezygnacja została cofnięta. Wiadomości będą wysyłane jak dotychczas.',
  },
  changedSince: {
    title: 'Od tego czasu dokonano nowego wyboru',
    text: 'Niczego nie cofnięto: obowiązuje nowszy wybór.',
  },
  undoOver: {
    title: 'Tego nie można już cofnąć',
    text: 'Jest to możliwe tylko przez krótki czas. Niczego nie zmieniono.',
  },
};
