#!/usr/bin/env node
// The `assent` command. An old Node.js must be able to read it, so it only says what comes first.
import '../standalone/node-version.cjs';

import('./begin.mjs');
