import type { Words } from './words.js';

export const fr: Words = {
  subject: '{site} : merci de confirmer',
  title: 'Souhaitez-vous ces messages ?',
  ask: '{site} a reçu une demande pour vous envoyer des messages à ce sujet :',
  channel: 'Canal : {channel}',
  until:
    'Vous ne les recevrez que si vous confirmez. Vous pouvez le faire jusqu’au {time}. Si vous ne faites rien, il ne se passe rien.',
  button: 'Oui, je souhaite ces messages',
  open: 'Aller à la page de confirmation',
  mailFooter:
    '{site} vous le demande parce que votre adresse y a été indiquée. Si ce n’était pas vous, vous n’avez rien à faire.',
  linkFooter: 'Si vous n’avez pas fait cette demande auprès de {site}, ignorez-la simplement.',
  confirmed: { title: 'Confirmé', text: 'Merci, votre choix est enregistré. Vous pouvez fermer cette page.' },
  already: { title: 'Déjà confirmé', text: 'Vous avez déjà confirmé. Il ne vous reste rien à faire.' },
  noLonger: {
    title: 'Plus confirmé',
    text: 'Vous aviez confirmé, puis vous avez fait un autre choix. Ce lien ne change plus rien.',
  },
  gets: 'Vous recevez : {topics}.',
  getsNot: 'Vous ne recevez pas : {topics}.',
  again: 'Si vous souhaitez de nouveau ces messages, demandez un nouveau lien là où vous aviez fait la demande.',
  expired: {
    title: 'Ce lien a expiré',
    text: 'Rien n’a été modifié. Si vous souhaitez toujours ces messages, demandez un nouveau lien là où vous aviez fait la demande.',
  },
  invalid: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est incomplet ou a été remplacé par un lien plus récent. Ouvrez le lien du dernier message reçu ou demandez-en un nouveau.',
  },
  ended: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Vous avez refusé depuis, ou un lien plus récent l’a remplacé. Ouvrez le lien du dernier message, ou demandez-en un nouveau là où vous aviez fait la demande.',
  },
  failed: { title: 'Cela n’a pas fonctionné', text: 'Veuillez réessayer dans un instant.' },
  onward: 'Continuer',
  unsubscribeTitle: 'Se désinscrire ?',
  unsubscribeAsk: 'Vous ne recevrez plus de messages de {site} à ce sujet :',
  unsubscribeFooter: 'Rien ne change tant que vous n’avez pas appuyé sur le bouton.',
  unsubscribeButton: 'Se désinscrire',
  unsubscribed: { title: 'Désinscription effectuée', text: 'Vous ne recevrez plus ces messages.' },
  imprint: 'Mentions légales',
  privacy: 'Politique de confidentialité',
  undo: 'Annuler ce choix',
  undoUntil: 'Était-ce une erreur ? Vous pouvez revenir en arrière jusqu’au {time}.',
  undone: { title: 'C’est annulé', text: 'Votre confirmation est retirée. Vous ne recevrez pas ces messages.' },
  resubscribed: {
    title: 'Vous êtes de nouveau inscrit',
    text: 'La désinscription est annulée. Vous recevrez ces messages comme avant.',
  },
  changedSince: {
    title: 'Vous avez fait un autre choix depuis',
    text: 'Rien n’a été annulé : votre choix le plus récent reste valable.',
  },
  undoOver: {
    title: 'Il est trop tard pour annuler',
    text: 'C’est possible pendant peu de temps seulement. Rien n’a été modifié.',
  },
};
