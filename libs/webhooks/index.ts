export { everyDelivery } from './deliveries/ended.js';
export { endpointTroubles, type EndpointTroubles } from './deliveries/health-counts.js';
export type { Envelope } from './envelope.js';
export { openUrl } from './sealed-fields.js';
export { readSecret, SECRET_BYTES, secretText, signatureHeaders } from './sending/signature.js';
