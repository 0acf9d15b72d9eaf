import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const DAYS = ['-days', '2'];

/** A certificate authority that is not trusted by default, and the certificates that it signs. */
export class TestAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'company-intelligence-tls-'));
  /** The authority's own certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificate = this.path('authority.crt');
  private readonly key = this.path('authority.key');

  constructor() {
    const files = ['-keyout', this.key, '-out', this.certificate];
    openssl('req', '-x509', ...NEW_KEY, ...DAYS, ...files, '-subj', '/CN=Test authority');
  }

  /** @param names subject alternative names, such as `IP:127.0.0.1` or `DNS:redis.example` */
  sign(names: string): { readonly certificate: string; readonly key: string } {
    const [key, request, certificate] = [
      this.path('server.key'),
      this.path('server.csr'),
      this.path('server.crt'),
    ];
    const extensions = this.path('server.ext');
    writeFileSync(extensions, `subjectAltName=${names}\n`);
    openssl('req', '-new', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', '/CN=Test Redis');
    const authority = ['-CA', this.certificate, '-CAkey', this.key, '-CAcreateserial'];
    const files = ['-in', request, '-out', certificate, '-extfile', extensions];
    openssl('x509', '-req', ...authority, ...DAYS, ...files);
    return { certificate, key };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
