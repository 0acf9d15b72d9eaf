/** Cells that fail for a reason that is known and being mended. Empty when all is well. */
import type { Cell } from './matrix/cell';

/** A finding that is not mended yet. */
interface Known {
  /** Its number in the list of findings. */
  readonly finding: number;
  readonly variant?: RegExp;
  readonly fault: RegExp;
  /** Which complaints are excused; all if left out. */
  readonly complaint?: RegExp;
  /** Running the cell would take the machine down, so that it is left out. */
  readonly dangerous?: true;
}

const KNOWN: readonly Known[] = [
  {
    finding: 1,
    variant: /returnAll/,
    fault: /^total (9007|2147)|a million claimed|repeated, no total/,
    dangerous: true,
  },
  { finding: 3, fault: /deep|%zz/, complaint: /maximum call stack|^effects/i },
  { finding: 3, fault: /deep/, complaint: /call stack/i },
  { finding: 3, fault: /^none$|mutated/, complaint: /maximum call stack/i },
  {
    finding: 1,
    variant: /^List Members, getMany, returnAll/,
    fault: /mutated/,
    complaint: /^(time|requests)/,
  },
  { finding: 8, variant: /exportCsv/, fault: /a byte every/, complaint: /^time/ },
  {
    finding: 10,
    fault: /./,
    complaint:
      /raw words \((parse error|\\bE\(CONN|\(incorrect\|unknown|URI malformed|\\b\(Type)|stored in base64/,
  },
  // The hint of Bulk Enrich lists what zod says.
  { finding: 10, variant: /^Bulk Enrich/, fault: /./, complaint: /fields of an unexpected type/ },
  {
    finding: 10,
    variant: /Graph, graphOutput/,
    fault: /./,
    complaint: /The answer is not a graph/,
  },
  { finding: 10, fault: /^none$/, complaint: /userKey/ },
  { finding: 11, fault: /KB of <|HTML that never/, dangerous: true },
  { finding: 12, fault: /^200 with (\{|\[)/, complaint: /^hopeless|no cure/ },
  { finding: 12, variant: /exportCsv/, fault: /^gzip cut/, complaint: /^hopeless/ },
  // Texts of the service that end up in a message at full length: names in the catalogue of fields.
  {
    finding: 14,
    variant: /definition|create/,
    fault: /5 KB/,
    complaint: /characters: The catalogue/,
  },
  { finding: 13, fault: /the key in every text/, complaint: /^secrecy/ },
];

/** The finding that excuses a complaint. */
export function knownFinding(cell: Cell, complaint: string): Known | undefined {
  return KNOWN.find((known) => concerns(known, cell) && (known.complaint?.test(complaint) ?? true));
}

/** Whether running the cell would take the machine down. */
export function isDangerous(cell: Cell): boolean {
  return KNOWN.some((known) => known.dangerous === true && concerns(known, cell));
}

function concerns(known: Known, { variant, fault }: Cell): boolean {
  return (known.variant?.test(variant.title) ?? true) && known.fault.test(fault.name);
}
