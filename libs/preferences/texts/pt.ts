import type { Words } from './words.js';

export const pt: Words = {
  subject: '{site}: confirme, por favor',
  title: 'Deseja receber estas mensagens?',
  ask: 'Foi pedido a {site} que lhe envie mensagens sobre o seguinte:',
  channel: 'Canal: {channel}',
  until: 'Só as receberá se confirmar. Pode fazê-lo até {time}. Se não fizer nada, nada acontece.',
  button: 'Sim, desejo estas mensagens',
  open: 'Ir para a página de confirmação',
  mailFooter:
    '{site} pergunta-lhe isto porque o seu endereço foi indicado ali. Se não foi você, não precisa de fazer nada.',
  linkFooter: 'Se não fez este pedido a {site}, basta ignorá-lo.',
  confirmed: { title: 'Confirmado', text: 'Obrigado, a sua escolha foi guardada. Pode fechar esta página.' },
  already: { title: 'Já confirmado', text: 'Já tinha confirmado antes. Não precisa de fazer mais nada.' },
  noLonger: {
    title: 'Já não está confirmado',
    text: 'Confirmou antes e depois fez outra escolha. Este link já não altera nada.',
  },
  gets: 'Recebe: {topics}.',
  getsNot: 'Não recebe: {topics}.',
  again: 'Se deseja voltar a receber estas mensagens, peça um novo link onde fez o pedido.',
  expired: {
    title: 'Este link expirou',
    text: 'Nada foi alterado. Se ainda deseja as mensagens, peça um novo link onde fez o pedido.',
  },
  invalid: {
    title: 'Este link não funciona',
    text: 'Está incompleto ou foi substituído por um mais recente. Abra o link da mensagem mais recente ou peça um novo.',
  },
  ended: {
    title: 'Este link não funciona',
    text: 'Entretanto recusou, ou um link mais recente tomou o seu lugar. Abra o link da mensagem mais recente, ou peça um novo onde fez o pedido.',
  },
  failed: { title: 'Não funcionou', text: 'Tente novamente dentro de momentos.' },
  onward: 'Continuar',
  unsubscribeTitle: 'Cancelar a subscrição?',
  unsubscribeAsk: 'Deixará de receber mensagens de {site} sobre o seguinte:',
  unsubscribeFooter: 'Nada muda enquanto não premir o botão.',
  unsubscribeButton: 'Cancelar a subscrição',
  unsubscribed: { title: 'Subscrição cancelada', text: 'Deixará de receber estas mensagens.' },
  imprint: 'Aviso legal',
  privacy: 'Política de privacidade',
  undo: 'Desfazer',
  undoUntil: 'Foi um engano? Pode desfazer até {time}.',
  undone: { title: 'Desfeito', text: 'A sua confirmação foi retirada. Não receberá estas mensagens.' },
  resubscribed: {
    title: 'A subscrição está de novo ativa',
    text: 'O cancelamento foi desfeito. Receberá estas mensagens como antes.',
  },
  changedSince: {
    title: 'Entretanto fez uma nova escolha',
    text: 'Nada foi desfeito: vale a sua escolha mais recente.',
  },
  undoOver: { title: 'Já não é possível desfazer', text: 'Só é possível durante pouco tempo. Nada foi alterado.' },
};
