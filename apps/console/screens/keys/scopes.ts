import { wordsOf } from '../../words.js';
import table from './scopes.json';
import { keyWords } from './words.js';

const words = wordsOf(table);

/** Scopes by what they are about. `isPublic`: keys in pages can have them, too. */
export const SCOPES = [
  { about: 'consent', verbs: ['read', 'write'], isPublic: true },
  { about: 'preferences', verbs: ['read', 'write'], isPublic: true },
  { about: 'receipts', verbs: ['read'], isPublic: true },
  { about: 'history', verbs: ['read'], isPublic: false },
  { about: 'catalogue', verbs: ['read'], isPublic: true },
  { about: 'statistics', verbs: ['read'], isPublic: false },
  { about: 'events', verbs: ['read'], isPublic: false },
  { about: 'subjects', verbs: ['read', 'write', 'erase'], isPublic: false },
  { about: 'requests', verbs: ['read', 'write'], isPublic: true },
  { about: 'webhooks', verbs: ['read', 'write'], isPublic: false },
  { about: 'portal-tokens', verbs: ['write'], isPublic: false },
] as const;

/** `Consent: write`; as the service writes it where there is no word for it. */
export function scopeText(scope: string): string {
  const [about = '', verb = ''] = scope.split(':');
  if (!Object.hasOwn(table, about) || !Object.hasOwn(table, verb)) return scope;
  return keyWords('scope', { about: words(about as keyof typeof table), verb: words(verb as keyof typeof table) });
}
