// ESLint's rule `assent/words`: a text names who acts. These words name no one that a reader could look up in the code.
const VAGUE = 'told|whoever|somebody|nobody|someone';
const IN_TEXT = new RegExp(String.raw`\b(${VAGUE})\b`, 'gi');
/** In a name the words are joined: `toldMaster`, `keyOfNobody`, `NOBODY_ASKED`. */
const IN_NAME = new RegExp(`^(${VAGUE})$`, 'i');

/** What stands in backticks is quoted: a name of the operating system or of a specification. */
const unquoted = (text) => text.replace(/`[^`\n]*`/g, (quoted) => ' '.repeat(quoted.length));
const wordsOf = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^A-Za-z0-9]+/);
const isSpec = (file) => /\.(spec|contract)\.ts$/.test(file);

/** Names that an `export` statement gives to the other files: of declarations and of lists. */
function exportedNames({ declaration, specifiers = [] }) {
  const declared = declaration?.declarations ?? (declaration ? [declaration] : []);
  return [...declared.map(({ id }) => id), ...specifiers.map(({ exported }) => exported)].filter(
    (name) => name?.type === 'Identifier',
  );
}

export const words = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      text: '"{{word}}": name who acts (the caller, the operator, the projector, this process, the receiver), then say what it does and why.',
      name: '"{{name}}" says "{{word}}": name it after the thing it is, with the noun of the field.',
    },
  },
  create(context) {
    const { sourceCode } = context;

    const reportText = (text, start) => {
      for (const found of unquoted(text).matchAll(IN_TEXT))
        context.report({
          loc: {
            start: sourceCode.getLocFromIndex(start + found.index),
            end: sourceCode.getLocFromIndex(start + found.index + found[0].length),
          },
          messageId: 'text',
          data: { word: found[0] },
        });
    };
    const reportName = (name, at) => {
      const word = wordsOf(name).find((part) => IN_NAME.test(part));
      if (word) context.report({ ...at, messageId: 'name', data: { name, word } });
    };
    const reportExports = (statement) => {
      for (const id of exportedNames(statement)) reportName(id.name, { node: id });
    };
    /** Refusals and help are sentences. A text without a blank is a key or a name. */
    const reportSentence = (node) => {
      const text = sourceCode.getText(node);
      if (/\s/.test(text)) reportText(text, node.range[0]);
    };

    return {
      Program(node) {
        reportName(context.filename.slice(context.filename.lastIndexOf('/') + 1), { node });
        for (const comment of sourceCode.getAllComments()) reportText(comment.value, comment.range[0] + 2);
      },
      ExportNamedDeclaration: reportExports,
      // Titles and inputs of tests are no texts of the service.
      ...(isSpec(context.filename) ? {} : { 'Literal[value=/./]': reportSentence, TemplateElement: reportSentence }),
    };
  },
};
