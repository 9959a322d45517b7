export { gpcBinds } from './look-up.js';
