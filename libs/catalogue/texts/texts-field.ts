import { MapOf } from '../../http/contract/fields.js';
import { LOCALE } from '../patterns.js';

/** A field that holds one text by language. `description`: what the text is; the full stop is added. */
export const texts = (description: string, example: string, maxLength: number, optional = false): PropertyDecorator =>
  MapOf(() => 'string', {
    description: `${description}, by language.`,
    example: { en: example },
    maxKeys: 100,
    keys: LOCALE,
    of: { maxLength },
    optional,
  });
