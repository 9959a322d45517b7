// Bundles a script of a page: `node bundle-page.mjs <its first module> <file to write> <folder of more packages>`. A process
// of its own, like bundled-sizes.mjs.
import { build } from 'rolldown';
import { compile } from 'svelte/compiler';
import { compileScript, parse } from 'vue/compiler-sfc';

const [input, file, packages] = process.argv.slice(2);

/** Components as the tools of their frameworks compile them. */
const components = {
  name: 'components',
  transform(code, id) {
    if (id.endsWith('.svelte')) return { code: compile(code, { filename: id }).js.code, moduleType: 'js' };
    if (!id.endsWith('.vue')) return null;
    const compilerOptions = { isCustomElement: (tag) => tag.startsWith('assent-') };
    const { descriptor } = parse(code, { filename: id });
    const { content } = compileScript(descriptor, { id, inlineTemplate: true, templateOptions: { compilerOptions } });
    return { code: content, moduleType: 'js' };
  },
};
await build({
  input,
  platform: 'browser',
  plugins: [components],
  resolve: { modules: ['node_modules', packages] },
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: { file, format: 'iife', codeSplitting: false },
});
