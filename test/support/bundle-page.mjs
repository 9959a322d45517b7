// Bundles a script of a page: `node bundle-page.mjs <its first module> <file to write> <folder of more packages>`. A process
// of its own, like bundled-sizes.mjs.
import { build } from 'rolldown';

const [input, file, packages] = process.argv.slice(2);
await build({
  input,
  platform: 'browser',
  resolve: { modules: ['node_modules', packages] },
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: { file, format: 'iife', codeSplitting: false },
});
