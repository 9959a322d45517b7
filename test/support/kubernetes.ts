import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An object of Kubernetes, of any kind. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

/** The objects of a file with one YAML document for each. Throws where one cannot be read. */
export const objectsIn = (yaml: string): KubernetesObject[] =>
  parseAllDocuments(yaml).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() as KubernetesObject;
  });

interface Kustomization {
  resources: string[];
  configMapGenerator: { name: string; envs?: string[]; files?: string[] }[];
}

/**
 * What `kubectl kustomize FOLDER` makes of a kustomization that has nothing but resources and generators of ConfigMaps,
 * without the digest that kubectl adds to the names of these.
 */
export function kustomized(folder: string): KubernetesObject[] {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const [kustomization] = objectsIn(read('kustomization.yaml')) as unknown as [Kustomization];
  const maps = kustomization.configMapGenerator.map(({ name, envs = [], files = [] }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: {
      ...Object.fromEntries(envs.flatMap((file) => Object.entries(settingsIn(read(file))))),
      ...Object.fromEntries(files.map((file) => [file, read(file)])),
    },
  }));
  return [...kustomization.resources.flatMap((file) => objectsIn(read(file))), ...maps];
}

/** The lines NAME=value of a file of the environment. */
export const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

/** Where the types of a kind are: those of networking.k8s.io/v1 in networking/v1. */
const moduleOf = (apiVersion: string): string =>
  `kubernetes-types/${apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`}`;

/**
 * What the types of Kubernetes say against these objects: missing and unknown fields, values of another type. One line
 * for each mistake; types know nothing of the forms of quantities and names.
 */
export function mistakesIn(objects: readonly KubernetesObject[]): string[] {
  const file = join(ROOT, 'objects-of-kubernetes.ts');
  const source = objects
    .map(
      (object, index) =>
        `export const object${index}: import('${moduleOf(object.apiVersion)}').${object.kind} = ${JSON.stringify(object)};`,
    )
    .join('\n');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === file ? ts.createSourceFile(path, source, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest);
  return ts.getPreEmitDiagnostics(ts.createProgram([file], options, host)).map(({ messageText, start = 0 }) => {
    const { kind, metadata } = objects[source.slice(0, start).split('\n').length - 1]!;
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
