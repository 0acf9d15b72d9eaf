import { createRandom } from './random';

/** A vendor and the technologies it makes. The API finds a vendor by its domain. */
export interface Vendor {
  readonly slug: string;
  readonly name: string;
  readonly domain: string;
  /** Indexes into the catalog. */
  readonly technologies: readonly number[];
}

/** One detectable technology. */
export interface Technology {
  readonly index: number;
  /** Lowercase letters, digits and hyphens. */
  readonly key: string;
  readonly name: string;
  readonly vendor: Vendor;
  /** Inactive technologies keep their detections, but a search does not find them. */
  readonly active: boolean;
}

/** Well-known products, most used first: `vendor|domain|product;product`. */
const KNOWN = `Google|google.com|Google Analytics;Google Tag Manager;Google Fonts;Google Ads;reCAPTCHA;Google Workspace;Firebase;Google Maps
Cloudflare|cloudflare.com|Cloudflare;Cloudflare Turnstile;Cloudflare Workers
Amazon Web Services|aws.amazon.com|Amazon S3;Amazon CloudFront;Amazon EC2;Amazon SES
jQuery Foundation|jquery.com|jQuery;jQuery UI
Automattic|automattic.com|WordPress;WooCommerce;Jetpack
Meta|meta.com|Meta Pixel;React
Microsoft|microsoft.com|Microsoft 365;Microsoft Clarity;Azure;Dynamics 365;Bing Ads
HubSpot|hubspot.com|HubSpot;HubSpot Forms;HubSpot CMS;HubSpot Chat
Salesforce|salesforce.com|Salesforce;Pardot;Salesforce Commerce Cloud;Marketing Cloud;Tableau
Stripe|stripe.com|Stripe;Stripe Billing
Shopify|shopify.com|Shopify;Shopify Payments;Shop Pay
Adobe|adobe.com|Adobe Analytics;Adobe Experience Manager;Adobe Fonts;Magento;Marketo
LinkedIn|linkedin.com|LinkedIn Insight Tag;LinkedIn Ads
Intuit|intuit.com|Mailchimp;QuickBooks
Hotjar|hotjar.com|Hotjar
Intercom|intercom.com|Intercom
Zendesk|zendesk.com|Zendesk;Zendesk Chat;Zendesk Sell
Segment|segment.com|Segment
Twilio|twilio.com|Twilio;SendGrid
Vercel|vercel.com|Vercel;Next.js
Netlify|netlify.com|Netlify
Fastly|fastly.com|Fastly
Akamai|akamai.com|Akamai;Akamai Bot Manager
PayPal|paypal.com|PayPal;Braintree;Venmo
Klarna|klarna.com|Klarna
Adyen|adyen.com|Adyen
Klaviyo|klaviyo.com|Klaviyo
Mixpanel|mixpanel.com|Mixpanel
Amplitude|amplitude.com|Amplitude
Sentry|sentry.io|Sentry
Datadog|datadoghq.com|Datadog;Datadog RUM
New Relic|newrelic.com|New Relic
Optimizely|optimizely.com|Optimizely;Optimizely CMS
OneTrust|onetrust.com|OneTrust;CookiePro
Usercentrics|usercentrics.com|Usercentrics;Cookiebot
Drift|drift.com|Drift
Freshworks|freshworks.com|Freshdesk;Freshsales;Freshchat
Zoho|zoho.com|Zoho CRM;Zoho Mail;Zoho SalesIQ
Pipedrive|pipedrive.com|Pipedrive
Atlassian|atlassian.com|Jira;Confluence;Statuspage
Slack|slack.com|Slack
Okta|okta.com|Okta;Auth0
Contentful|contentful.com|Contentful
Sanity|sanity.io|Sanity
Webflow|webflow.com|Webflow
Wix|wix.com|Wix
Squarespace|squarespace.com|Squarespace;Acuity Scheduling
Drupal|drupal.org|Drupal
Joomla|joomla.org|Joomla
TYPO3|typo3.com|TYPO3
Algolia|algolia.com|Algolia
Elastic|elastic.co|Elasticsearch
Calendly|calendly.com|Calendly
Typeform|typeform.com|Typeform
Gong|gong.io|Gong
Outreach|outreach.io|Outreach
Snowflake|snowflake.com|Snowflake
MongoDB|mongodb.com|MongoDB
Wistia|wistia.com|Wistia
Vimeo|vimeo.com|Vimeo
ActiveCampaign|activecampaign.com|ActiveCampaign
Braze|braze.com|Braze
Iterable|iterable.com|Iterable
BigCommerce|bigcommerce.com|BigCommerce
Nginx|nginx.com|Nginx
Apache|apache.org|Apache HTTP Server
PHP|php.net|PHP
Vue.js|vuejs.org|Vue.js
Angular|angular.io|Angular
Bootstrap|getbootstrap.com|Bootstrap`;

const INVENTED_STEMS =
  `Acorn Beeline Birdsong Bluebell Brightline Candela Cartwheel Clearpath Clickstone
Cloudberry Dashwood Datalark Dovetail Echolane Everfold Fieldnote Firebrook Flowgate Foldline Formation
Gaugewell Gridlock Hatchway Helio Hopscotch Inkwell Kestrel Kitebase Ledgerly Lumenta Mapleleaf Metrica
Northbeam Novalink Openfield Orbita Pagewright Papertrail Pixelmint Plumbob Quillstack Quorum Railyard
Relay Rivet Sailcloth Signalwood Sitewise Sparrow Stitchwork Tallyho Tagsmith Tidepool Trailhead Umbra
Vantage Vectorly Waypoint Weave Windowpane Wordloom Yardstick Zeppelin`.split(/\s+/);

const INVENTED_PRODUCTS =
  `Analytics;CDN;Chat;CMS;Consent;CRM;Forms;Heatmaps;Loyalty;Mail;Monitor;Pay;Personalize;Reviews;
Scheduler;Search;Survey;Tag Manager;Video`.split(/;\s*/);

/** Turns a name into lowercase letters, digits and hyphens. */
export function toKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Builds the catalog. It is the same for every seed: only the detections vary. */
export function buildTechnologies(): { technologies: Technology[]; vendors: Vendor[] } {
  const technologies: Technology[] = [];
  const vendors: Vendor[] = [];
  const keys = new Set<string>();
  const add = (name: string, domain: string, products: readonly string[], active: boolean[]) => {
    const own: number[] = [];
    const vendor: Vendor = { slug: toKey(name), name, domain, technologies: own };
    vendors.push(vendor);
    products.forEach((product, position) => {
      const key = toKey(product);
      if (keys.has(key)) return;
      keys.add(key);
      own.push(technologies.length);
      technologies.push({
        index: technologies.length,
        key,
        name: product,
        vendor,
        active: active[position] ?? true,
      });
    });
  };

  for (const line of KNOWN.split('\n')) {
    const [name, domain, products] = line.split('|') as [string, string, string];
    add(name, domain, products.split(';'), []);
  }
  const random = createRandom(20_250_601);
  for (const stem of INVENTED_STEMS) {
    const products = new Set<string>();
    const wanted = 2 + random.int(0, 5);
    while (products.size < wanted) products.add(`${stem} ${random.pick(INVENTED_PRODUCTS)}`);
    add(
      stem,
      `${stem.toLowerCase()}.example`,
      [...products],
      [...products].map(() => !random.chance(0.04)),
    );
  }
  return { technologies, vendors };
}
