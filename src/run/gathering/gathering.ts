import { CancelledError, CreditExhaustedError, ServiceError } from '../../client/errors';
import { abortable } from '../../client/sleep';
import type { BatchAnswer } from '../answers/batch-answer';
import { Departures } from './departures';
import { failAll, Load, Passenger, type Arrival, type Asker } from './load';

type Failed = Extract<Arrival, { kind: 'failed' }>;

/** So few that are in trouble together are asked one by one. */
const FEW = 4;

/**
 * Those who wait just now, by the kind of what they ask; the only owner. A kind is forgotten with its
 * last request.
 */
const gatherings = new Map<string, Gathering>();

/** Kinds of questions that are waited for just now. */
export function kindsUnderWay(): number {
  return gatherings.size;
}

/**
 * Asks about a few domains, in one request with others of this process that ask the same kind at the
 * same time; see {@link Departures} for when it leaves. Each gets what it would have got alone: of a
 * request that failed for what somebody may have asked for, smaller ones are made until the failure is
 * that of one asker alone; where credits are short, as many go as they cover.
 *
 * @param kind the same only for what one request can carry: key, service, settings, endpoint, and what
 * is wanted of each domain.
 * @throws {ServiceError} the asker's own; {@link CancelledError} as soon as its signal fires.
 */
export async function askTogether(kind: string, asker: Asker): Promise<BatchAnswer> {
  if (asker.signal?.aborted === true) throw new CancelledError();
  const known = gatherings.get(kind);
  const gathering: Gathering = known ?? new Gathering(() => forget(kind, gathering));
  gatherings.set(kind, gathering);
  return await gathering.ask(asker);
}

/** A request that hung on may be over long after those who came later. */
function forget(kind: string, gathering: Gathering): void {
  if (gatherings.get(kind) === gathering) gatherings.delete(kind);
}

class Gathering {
  private readonly departures = new Departures<Passenger, Load>(
    () => new Load((load) => this.departures.close(load)),
    (load) => void this.carry(load),
  );

  constructor(private readonly whenIdle: () => void) {}

  async ask(asker: Asker): Promise<BatchAnswer> {
    return await abortable(
      async (onCancel) =>
        await new Promise<BatchAnswer>((resolve, reject) => {
          const passenger = new Passenger(asker, { resolve, reject });
          onCancel(() => {
            passenger.stop();
          });
          this.departures.arrive(passenger, asker.room());
        }),
      asker.signal,
    );
  }

  private async carry(load: Load): Promise<void> {
    const arrival = await load.send();
    this.departures.over(load);
    if (this.departures.idle) this.whenIdle();
    await settle(arrival);
  }
}

/** Gives those of a load that failed what is their own. */
async function settle(arrival: Arrival): Promise<void> {
  if (arrival.kind === 'answered') {
    await askAlone(arrival.overlooked);
    return;
  }
  const { error, sentFor, aboard } = arrival;
  if (sentFor === 1 || !(error instanceof ServiceError) || error.matter === 'everybodys') {
    failAll(aboard, error);
    return;
  }
  if (!error.surelyNotDone) for (const passenger of aboard) passenger.maybeCharged();
  if (error instanceof CreditExhaustedError) await askTheCovered(arrival, error);
  else if (aboard.length <= 1) await askAlone(aboard);
  else await askApart(arrival, error);
}

async function askAlone(passengers: readonly Passenger[]): Promise<void> {
  await Promise.all(passengers.map(async (passenger) => await settle(await send([passenger]))));
}

/** What a refusal says of the balance decides who can go; the others are told at once. */
async function askTheCovered(
  { domains, aboard }: Failed,
  error: CreditExhaustedError,
): Promise<void> {
  const { requested = domains, shortfall = requested } = error;
  const priceOf = ({ size }: Passenger) => (size * requested) / domains;
  let left = requested - shortfall;
  const covered: Passenger[] = [];
  for (const passenger of aboard) {
    const price = priceOf(passenger);
    if (price > left) continue;
    left -= price;
    covered.push(passenger);
  }
  for (const passenger of aboard) {
    if (!covered.includes(passenger)) passenger.fails(error.forPart(priceOf(passenger), left));
  }
  if (covered.length > 0) await settle(await send(covered));
}

/**
 * Asks in smaller requests. A refusal comes at once, so that halves find the cause with the fewest
 * requests; trouble comes late, after what was tried again, so that it is taken apart in two steps.
 */
async function askApart({ sentFor, domains, aboard }: Failed, error: ServiceError): Promise<void> {
  const isTrouble = error.matter === 'perhaps-somebodys';
  const arrivals = await Promise.all(inParts(aboard, isTrouble ? stepsOf(aboard) : 2).map(send));
  const answered = arrivals.filter((arrival) => arrival.kind === 'answered');
  const failed = arrivals.filter((arrival) => arrival.kind === 'failed');
  if (failed.length === arrivals.length && isTrouble) {
    for (const arrival of failed) failAll(arrival.aboard, arrival.error);
    return;
  }
  // Where nobody has left in between, with whom the cause could have gone, it was the size.
  const taken = answered.reduce((sum, arrival) => sum + arrival.sentFor, 0);
  const largest = Math.max(...answered.map((arrival) => arrival.domains));
  if (taken === sentFor && largest < domains) aboard[0]?.asker.learn(largest, error);
  await Promise.all(arrivals.map(settle));
}

/** So many parts that as many steps find one in them; a few go one by one. */
function stepsOf({ length }: readonly Passenger[]): number {
  return length <= FEW ? length : Math.ceil(Math.sqrt(length));
}

function inParts(passengers: readonly Passenger[], parts: number): Passenger[][] {
  const size = Math.ceil(passengers.length / parts);
  return Array.from({ length: Math.ceil(passengers.length / size) }, (_unused, part) =>
    passengers.slice(part * size, (part + 1) * size),
  );
}

async function send(passengers: readonly Passenger[]): Promise<Arrival> {
  const load = new Load();
  passengers.filter(({ gone }) => !gone).forEach(load.board);
  return await load.send();
}
