/** Text for terminals, mails and log lines: no control characters, so that it cannot steer a terminal or start a line. */
// eslint-disable-next-line no-control-regex -- control characters are exactly what is looked for
export const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;
export const ONE_LINE_HINT = 'one line of text without control characters';
