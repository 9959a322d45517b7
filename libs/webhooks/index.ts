export type { Envelope } from './envelope.js';
export { readSecret, SECRET_BYTES, secretText, signatureHeaders } from './signature.js';
