import { CHANNELS } from './template/template-definition.js';

export const PURPOSE_KEY = {
  maxLength: 64,
  pattern: '^[a-z][a-z0-9_.-]{0,63}$',
  patternHint: 'lower-case letters, digits, dots, hyphens and underscores, beginning with a letter',
} as const;
export const LOCALE = {
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
  patternHint: 'a language tag',
} as const;
/** Keys of channels' topics, fields and sections: no dot, so that a path of them can be split. */
export const TEMPLATE_KEY = {
  maxLength: 64,
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  patternHint: 'lower-case letters, digits, hyphens and underscores, beginning with a letter',
} as const;
export const CHANNEL_KEY = {
  maxLength: 47,
  pattern: `^(${CHANNELS.join('|')}|custom\\.[a-z][a-z0-9_-]{0,39})$`,
  patternHint: `one of ${CHANNELS.join(', ')}, or custom.<slug>`,
} as const;
export const OPTION_VALUE = {
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  patternHint: 'letters, digits, dots, hyphens and underscores',
} as const;
/** A host name without scheme and port. */
export const HOST = {
  maxLength: 253,
  pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?([.][a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$',
  patternHint: 'a host name in lower case, without scheme and port',
} as const;
export const WEB_ADDRESS = {
  maxLength: 2000,
  pattern: '^https://[^ ]+$',
  patternHint: 'an address that begins with https://',
} as const;
