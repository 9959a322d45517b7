// The contracts below are declared with decorators that need it.
import 'reflect-metadata';
import { compile } from '../platform/http/fields.js';
import { purposeContradictions } from './decide.js';
import { PurposeFileDto } from './dto.js';
import { filesOf } from './files-of-input.js';
import { TemplateFileDto } from './template-dto.js';
import type { FileProblem, YamlFile } from './yaml-file.js';

type ReadFile = Extract<YamlFile, { problem: null }>;

/** What is wrong with each file by itself, and with purposes that contradict themselves or each other. */
export function problemsOf(purposes: readonly ReadFile[], template: ReadFile | undefined): FileProblem[] {
  const malformed = [
    ...purposes.map((file) => ofFile(file, compile(PurposeFileDto)(file.content))),
    template ? ofFile(template, compile(TemplateFileDto)(template.content)) : [],
  ].flat();
  const bad = new Set(malformed.map(({ file }) => file));
  const good = purposes.filter(({ name }) => !bad.has(name));
  const { purposes: definitions } = filesOf({ purposes: good.map(({ content }) => content as PurposeFileDto) });
  const contradictions = definitions.flatMap((definition, index) =>
    ofFile(
      good[index]!,
      purposeContradictions(definition, index, definitions).map(({ path, message }) => ({
        path: path.slice(`purposes[${index}].`.length),
        message,
      })),
    ),
  );
  return [...malformed, ...contradictions];
}

const ofFile = ({ name, lineOf }: ReadFile, issues: readonly { path: string; message: string }[]): FileProblem[] =>
  issues.map(({ path, message }) => ({ file: name, line: lineOf(path), path, message }));
