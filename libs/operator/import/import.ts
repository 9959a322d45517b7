/** What the `assent import` command loads when it is called. */
export { batchSender } from './batch-sender.js';
export { formatFault, isZone } from './dates.js';
export { isEncoding } from './decoded.js';
export { inspected } from './import-files.js';
export { readImportMap } from './import-map.js';
export { runImport } from './import-run.js';
export { makerFor } from './map-source.js';
export { PRESETS, presetNamed } from './presets.js';
export { RejectsFile } from './rejects-file.js';
export { importDigest, ResumeFile } from './resume-file.js';
