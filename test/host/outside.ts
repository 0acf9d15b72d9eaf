/**
 * The services that the examples work with, in this process: Google Sheets, HubSpot, Salesforce,
 * Pipedrive, Slack and an SMTP server. n8n's nodes run unchanged; lead-outside.cjs leads their
 * requests here. The responses are those of the real APIs, as far as n8n's nodes read them.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { INode } from 'n8n-workflow';

import type { RealHost } from './harness';
import { packageOfN8n } from './of-n8n';

type Row = Readonly<Record<string, unknown>>;
/** A row can have gaps. */
type Cell = string | number | boolean | undefined;

interface Call {
  readonly host: string;
  readonly method: string;
  readonly url: URL;
  readonly body: Row;
}

/** Credentials by the type of n8n's node. */
export type Accounts = Readonly<Record<string, INode['credentials']>>;

interface Mail {
  readonly subject: string;
  readonly to: { readonly text: string };
  readonly text: string;
  readonly html: string;
  readonly attachments: ReadonlyArray<{ readonly filename: string; readonly content: Buffer }>;
}

/** The token that n8n got when a user connected an account. */
const oauthTokenData = { access_token: 'token', token_type: 'Bearer' };
const oauth = { clientId: 'client', clientSecret: 'secret', oauthTokenData };

const RANGE =
  /^'?(?<title>[^!']+)'?(?:!(?<column>[A-Z]*)(?<row>\d*)(?::(?<lastColumn>[A-Z]*)(?<lastRow>\d*))?)?$/;

const columnNumber = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Sheets of one spreadsheet, by title. The first row has the names of the columns. */
class Spreadsheet {
  readonly sheets = new Map<string, Cell[][]>();

  rows(title: string): Row[] {
    const [names = [], ...rows] = this.sheets.get(title) ?? [];
    return rows.map((cells) =>
      Object.fromEntries(names.map((name, at) => [String(name), cells[at] ?? ''])),
    );
  }

  respond({ method, url, body }: Call): unknown {
    const range = decodeURIComponent(/\/values\/(.*)$/.exec(url.pathname)?.[1] ?? '');
    if (url.pathname.endsWith('/values:batchUpdate')) {
      expectRaw(body['valueInputOption']);
      const data = body['data'] as ReadonlyArray<{ range: string; values: Cell[][] }>;
      for (const one of data) this.write(one.range, one.values);
      return { totalUpdatedCells: data.length };
    }
    if (url.pathname.endsWith(':batchUpdate')) return { replies: [{}] };
    if (range === '') return { sheets: [...this.sheets.keys()].map(toProperties) };
    if (method === 'GET') {
      const isFormatted = url.searchParams.get('valueRenderOption') !== 'UNFORMATTED_VALUE';
      const values = this.read(range, isFormatted);
      return { range, majorDimension: 'ROWS', ...(values.length === 0 ? {} : { values }) };
    }
    expectRaw(url.searchParams.get('valueInputOption'));
    this.write(range, body['values'] as Cell[][]);
    return { updatedRange: range };
  }

  /** As the API, without empty cells and rows at the end. */
  private read(range: string, isFormatted: boolean): Cell[][] {
    const { title = '', row, lastRow } = RANGE.exec(range)?.groups ?? {};
    const rows = this.sheets.get(title) ?? [];
    const chosen = row ? rows.slice(Number(row) - 1, Number(lastRow === '' ? row : lastRow)) : rows;
    const cut = chosen.map((cells) =>
      [...cells.slice(0, cells.findLastIndex((cell) => (cell ?? '') !== '') + 1)].map((cell) =>
        isFormatted ? String(cell ?? '') : (cell ?? ''),
      ),
    );
    return cut.slice(0, cut.findLastIndex((cells) => cells.length > 0) + 1);
  }

  private write(range: string, values: Cell[][]): void {
    const { title = '', column, row } = RANGE.exec(range)?.groups ?? {};
    const rows = this.sheets.get(title);
    if (rows === undefined) throw new Error(`No sheet has the range ${range}`);
    const left = column ? columnNumber(column) - 1 : 0;
    for (const [down, cells] of values.entries()) {
      const target = (rows[Number(row) - 1 + down] ??= []);
      for (const [right, cell] of cells.entries()) target[left + right] = cell;
    }
  }
}

function toProperties(title: string, index: number) {
  const gridProperties = { rowCount: 1000, columnCount: 26 };
  return { properties: { sheetId: index, title, index, gridProperties } };
}

/** With USER_ENTERED, Google Sheets turns 1-10 into a date. */
function expectRaw(option: unknown): void {
  if (option !== 'RAW') throw new Error(`Cells are written as ${String(option)}`);
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const QUERY = /^SELECT (?<fields>.+) FROM Account WHERE (?<empty>\w+) = null LIMIT (?<limit>\d+)$/;

export class Outside {
  readonly calls: Call[] = [];
  /** As they were sent; {@link parseMail} reads them. */
  readonly mails: string[] = [];
  readonly spreadsheet = new Spreadsheet();
  /** HubSpot's companies by ID, with the values of their properties. */
  readonly companies = new Map<string, Row>();
  /** Salesforce's accounts by ID. */
  readonly accounts = new Map<string, Row>();
  private lastId = 0;
  private readonly http = createHttpServer((request, response) => {
    void this.answer(request).then(([status, body]) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  private readonly smtp = createTcpServer((socket) => {
    receiveMails(socket, (mail) => this.mails.push(mail));
  });

  /** Returns the environment of an n8n whose requests arrive here. */
  async start(): Promise<Record<string, string>> {
    for (const server of [this.http, this.smtp]) {
      await once(server.listen(0, '127.0.0.1'), 'listening');
    }
    const script = JSON.stringify(join(__dirname, 'lead-outside.cjs'));
    return { NODE_OPTIONS: `--require=${script}`, OUTSIDE_PORT: String(portOf(this.http)) };
  }

  /** Saves the accounts that a user connects, and returns them by the type of n8n's node. */
  async connect({ rest }: RealHost): Promise<Accounts> {
    const save = async (type: string, data: Record<string, unknown>) => {
      const { id, name } = await rest.saveCredential({ name: type, type, data });
      return { [type]: { id, name } };
    };
    const atSalesforce = { ...oauthTokenData, instance_url: 'https://acme.my.salesforce.com' };
    const allowed = { allowedHttpRequestDomains: 'all' };
    const at = { host: '127.0.0.1', port: portOf(this.smtp) };
    const smtp = { ...at, secure: false, disableStartTls: true };
    return {
      googleSheets: await save('googleSheetsOAuth2Api', { ...oauth, ...allowed }),
      hubspot: await save('hubspotOAuth2Api', { ...oauth, ...allowed }),
      hubspotTrigger: await save('hubspotDeveloperApi', { ...oauth, appId: '1', apiKey: 'key' }),
      salesforce: await save('salesforceOAuth2Api', { ...oauth, oauthTokenData: atSalesforce }),
      pipedrive: await save('pipedriveApi', { apiToken: 'token', ...allowed }),
      slack: await save('slackApi', { accessToken: 'token', ...allowed }),
      emailSend: await save('smtp', { ...smtp, user: '', password: '' }),
    };
  }

  /** The bodies of the requests that change something at a service, in order. */
  sent(path: string): Row[] {
    return this.calls
      .filter(({ method, url }) => method !== 'GET' && url.href.includes(path))
      .map(({ body }) => body);
  }

  stop(): void {
    this.http.close();
    this.smtp.close();
  }

  private async answer(request: IncomingMessage): Promise<[status: number, body?: unknown]> {
    const host = String(request.headers['x-outside-host']);
    const url = new URL(request.url ?? '', `https://${host}`);
    const raw = await text(request);
    const body = raw.startsWith('{') ? (JSON.parse(raw) as Row) : {};
    const call = { host, method: request.method ?? 'GET', url, body };
    this.calls.push(call);
    try {
      const json = this.respond(call);
      return json === undefined ? [204] : [200, json];
    } catch (error) {
      return [404, { message: String(error) }];
    }
  }

  private respond(call: Call): unknown {
    if (call.host === 'sheets.googleapis.com') return this.spreadsheet.respond(call);
    if (call.host === 'api.hubapi.com') return this.hubspot(call);
    if (call.host === 'acme.my.salesforce.com') return this.salesforce(call);
    if (call.host === 'api.pipedrive.com') {
      return { success: true, data: { id: (this.lastId += 1), ...call.body } };
    }
    if (call.host === 'slack.com') return { ok: true, channel: call.body['channel'], ts: '1.0' };
    throw new Error(`No service has the address ${call.url.href}`);
  }

  private hubspot({ method, url, body }: Call): unknown {
    if (url.pathname.endsWith('/subscriptions')) return { results: [] };
    if (url.pathname.startsWith('/webhooks/')) {
      if (method === 'GET') throw new Error('The app has no webhook yet');
      return {};
    }
    const id = url.pathname.split('/').at(-1) ?? '';
    const given = (body['properties'] ?? []) as ReadonlyArray<{ name: string; value: unknown }>;
    const changed = given.map(({ name, value }) => [name, value] as const);
    const values: Row = { ...this.companies.get(id), ...Object.fromEntries(changed) };
    this.companies.set(id, values);
    const properties = Object.entries(values).map(([name, value]) => ({ [name]: { value } }));
    return { companyId: Number(id), properties: Object.assign({}, ...properties) as Row };
  }

  private salesforce({ method, url, body }: Call): unknown {
    if (url.pathname.endsWith('/query')) {
      const {
        fields = '',
        empty = '',
        limit,
      } = QUERY.exec(url.searchParams.get('q') ?? '')!.groups!;
      const names = fields.split(', ');
      const records = [...this.accounts.values()]
        .filter((account) => account[empty] === undefined)
        .slice(0, Number(limit))
        .map((account) => Object.fromEntries(names.map((name) => [name, account[name] ?? null])));
      return { totalSize: records.length, done: true, records };
    }
    if (method === 'POST') {
      if (!body['LastName']) throw new Error('REQUIRED_FIELD_MISSING: LastName');
      return { id: String((this.lastId += 1)), success: true, errors: [] };
    }
    const id = url.pathname.split('/').at(-1) ?? '';
    this.accounts.set(id, { ...this.accounts.get(id), ...body });
    return undefined;
  }
}

/** Speaks as much SMTP as a client needs to send mails. */
function receiveMails(socket: Socket, onMail: (mail: string) => void): void {
  const END = '\r\n.\r\n';
  let received = '';
  let isData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 outside');
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += String(chunk);
    for (;;) {
      const end = received.indexOf(isData ? END : '\r\n');
      if (end === -1) return;
      const got = received.slice(0, end);
      received = received.slice(end + (isData ? END.length : 2));
      if (isData) {
        onMail(got.replace(/^\.\./gm, '.'));
        isData = false;
        say('250 OK');
      } else if (got === 'DATA') {
        isData = true;
        say('354 Go on');
      } else say(got === 'QUIT' ? '221 Bye' : '250 OK');
    }
  });
}

/** Reads a mail with the package of n8n's Email Trigger. */
export async function parseMail(raw: string): Promise<Mail> {
  const { simpleParser } = await packageOfN8n<{
    simpleParser: (mail: Buffer) => Promise<Mail>;
  }>('mailparser');
  return await simpleParser(Buffer.from(raw, 'latin1'));
}

/** Reads the first sheet of an Excel file, with the package of n8n's Extract from File. */
export async function readExcel(file: Buffer): Promise<Row[]> {
  const { read, utils } = await packageOfN8n<{
    read: (file: Buffer) => { Sheets: Record<string, unknown>; SheetNames: string[] };
    utils: { sheet_to_json(sheet: unknown, options: { defval: string }): Row[] };
  }>('@e965/xlsx');
  const { Sheets, SheetNames } = read(file);
  return utils.sheet_to_json(Sheets[SheetNames[0] ?? ''], { defval: '' });
}
