/** What the `assent import` command loads when it is called. */
export { batchSender } from './batch-sender.js';
export { formatFault } from './mapping/dates.js';
export { isZone } from './mapping/zones.js';
export { isEncoding } from './reading/decoded.js';
export { inspected } from './reading/import-files.js';
export { readImportMap } from './mapping/map-file.js';
export { runImport } from './import-run.js';
export { makerFor } from './mapping/map-source.js';
export { PRESETS, presetNamed } from './mapping/presets.js';
export { RejectsFile } from './rejects-file.js';
export { importDigest, ResumeFile } from './resume-file.js';
