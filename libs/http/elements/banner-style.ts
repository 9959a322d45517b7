import { bundleManifest } from '../bundled-files.js';

let styleFile: string | undefined;

/** Name of the banner's style sheet in this release. Read once. */
export const bannerStyleFile = (): string => (styleFile ??= bundleManifest('elements')['style']!);
