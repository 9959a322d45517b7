/** As `npm start` and the image call Node: only so does a start take what the build compiled of the program. */
export { V8_OPTIONS as NODE_OPTIONS } from '../../apps/v8-options.mjs';
