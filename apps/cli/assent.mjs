#!/usr/bin/env node
// The `assent` command. An old Node.js must be able to parse this file, so it only loads the next steps in their order.
import '../standalone/node-version.cjs';

import('./begin.mjs');
