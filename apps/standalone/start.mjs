// What `npm start` runs. An old Node.js must be able to read it, so it only says what comes first.
import './node-version.cjs';

import('./begin.mjs');
