import type { Words } from './words.js';

export const es: Words = {
  subject: '{site}: confirme, por favor',
  title: '¿Desea recibir estos mensajes?',
  ask: 'Se ha pedido a {site} que le envíe mensajes sobre lo siguiente:',
  channel: 'Canal: {channel}',
  until: 'Solo los recibirá si lo confirma. Puede hacerlo hasta el {time}. Si no hace nada, no ocurrirá nada.',
  button: 'Sí, deseo estos mensajes',
  open: 'Ir a la página de confirmación',
  mailFooter: '{site} se lo pregunta porque allí se indicó su dirección. Si no fue usted, no tiene que hacer nada.',
  linkFooter: 'Si usted no se lo ha pedido a {site}, simplemente ignórelo.',
  confirmed: { title: 'Confirmado', text: 'Gracias, su elección se ha guardado. Puede cerrar esta página.' },
  already: { title: 'Ya estaba confirmado', text: 'Usted ya lo había confirmado. No tiene que hacer nada más.' },
  noLonger: {
    title: 'Ya no está confirmado',
    text: 'Usted lo confirmó en su momento y después eligió otra cosa. Este enlace ya no cambia nada.',
  },
  gets: 'Recibe: {topics}.',
  getsNot: 'No recibe: {topics}.',
  again: 'Si desea volver a recibir estos mensajes, pida un nuevo enlace donde se registró.',
  expired: {
    title: 'Este enlace ha caducado',
    text: 'No se ha cambiado nada. Si todavía desea los mensajes, pida un nuevo enlace donde se registró.',
  },
  invalid: {
    title: 'Este enlace no funciona',
    text: 'Está incompleto o uno más reciente lo ha sustituido. Abra el enlace del último mensaje o pida uno nuevo.',
  },
  ended: {
    title: 'Este enlace no funciona',
    text: 'Después dijo que no, o un enlace más reciente ha ocupado su lugar. Abra el enlace del mensaje más reciente o pida uno nuevo donde se registró.',
  },
  failed: { title: 'No ha funcionado', text: 'Inténtelo de nuevo dentro de un momento.' },
  onward: 'Continuar',
  unsubscribeTitle: '¿Darse de baja?',
  unsubscribeAsk: 'Ya no recibirá mensajes de {site} sobre lo siguiente:',
  unsubscribeFooter: 'No cambia nada hasta que pulse el botón.',
  unsubscribeButton: 'Darse de baja',
  unsubscribed: { title: 'Se ha dado de baja', text: 'Ya no recibirá estos mensajes.' },
  imprint: 'Aviso legal',
  privacy: 'Política de privacidad',
  undo: 'Deshacer',
  undoUntil: '¿Ha sido un error? Puede deshacerlo hasta el {time}.',
  undone: { title: 'Deshecho', text: 'Su confirmación queda retirada. No recibirá estos mensajes.' },
  resubscribed: {
    title: 'Vuelve a estar suscrito',
    text: 'La baja se ha deshecho. Recibirá estos mensajes como antes.',
  },
  changedSince: {
    title: 'Ha elegido de nuevo desde entonces',
    text: 'No se ha deshecho nada: vale su elección más reciente.',
  },
  undoOver: {
    title: 'Esto ya no se puede deshacer',
    text: 'Solo es posible durante poco tiempo. No se ha cambiado nada.',
  },
};
