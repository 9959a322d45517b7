import type { Words } from './words.js';

export const en: Words = {
  subject: '{site}: please confirm',
  title: 'Do you want these messages?',
  ask: '{site} was asked to send you messages about this:',
  channel: 'Channel: {channel}',
  until: 'They are sent to you only if you confirm. You can do so until {time}. If you do nothing, nothing happens.',
  button: 'Yes, I want these messages',
  open: 'Go to the confirmation page',
  mailFooter: '{site} asks you because your address was entered there. If that was not you, you need do nothing.',
  linkFooter: 'If you did not ask {site} for this, simply ignore it.',
  confirmed: { title: 'Confirmed', text: 'Thank you, your choice is saved. You can close this page.' },
  already: { title: 'Already confirmed', text: 'You have confirmed this before. There is nothing left to do.' },
  expired: {
    title: 'This link has expired',
    text: 'Nothing was changed. If you still want the messages, ask for a new link where you signed up.',
  },
  invalid: {
    title: 'This link does not work',
    text: 'It is incomplete, or a newer one has taken its place. Open the link of the newest message, or ask for a new one.',
  },
  failed: { title: 'That did not work', text: 'Please try again in a moment.' },
  onward: 'Continue',
  unsubscribeTitle: 'Unsubscribe?',
  unsubscribeAsk: 'You will get no more messages from {site} about this:',
  unsubscribeFooter: 'Nothing changes until you press the button.',
  unsubscribeButton: 'Unsubscribe',
  unsubscribed: { title: 'You are unsubscribed', text: 'You will get no more of these messages.' },
};
