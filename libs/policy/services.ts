export { edgePlace, placeNamed, readPlace } from './asked.js';
