interface PatternRun {
  readonly source: string;
  readonly length: number;
}

/** Returns all runs of regular expressions during `work`, so that a test of speed needs no clock. */
export function patternRuns(work: () => void): PatternRun[] {
  const runs: PatternRun[] = [];
  const exec = Reflect.get(RegExp.prototype, 'exec');
  const spy = jest.spyOn(RegExp.prototype, 'exec').mockImplementation(function (
    this: RegExp,
    text,
  ) {
    runs.push({ source: this.source, length: text.length });
    return exec.call(this, text);
  });
  try {
    work();
  } finally {
    spy.mockRestore();
  }
  return runs;
}

/**
 * Returns whether a pattern can read any number of characters from each position of a text, which
 * takes quadratic time. That needs an unbounded quantifier in an alternative that may start
 * anywhere.
 */
export function canReadAgain(source: string): boolean {
  return alternativesOf(source).some((one) => !one.startsWith('^') && /[*+]|\{\d+,\}/.test(one));
}

function alternativesOf(source: string): string[] {
  const plain = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x');
  const alternatives = [''];
  let depth = 0;
  for (const sign of plain) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === '|' && depth === 0) alternatives.push('');
    else alternatives.push(`${alternatives.pop() ?? ''}${sign}`);
  }
  return alternatives;
}
