// `npm start` runs it. An old Node.js must be able to parse this file, so it only loads the next steps in their order.
import './node-version.cjs';

import('./begin.mjs');
