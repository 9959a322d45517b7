import { refusal, type Refusal } from '../../kernel/index.js';
import type { StringFault } from './string-fault.js';

/** Refuses at the field that cannot be read. */
export const noSuchString = ({ path, message, hint }: StringFault): Refusal =>
  refusal('consent_string_invalid', 'This is no string of that framework.', hint, [{ path, message }]);
