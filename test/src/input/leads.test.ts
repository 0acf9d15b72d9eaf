/** Cells as CRMs, forms, scrapers and people give them, with the company that each one means. */
import { normalizeDomain, type NormalizeOptions } from '../../../src/input/domains';

const USUAL: NormalizeOptions = { subdomains: 'strip', rejectFreeMail: undefined };

/** The domain, or the reason why there is none. */
function read(value: unknown, options = USUAL): string {
  const found = normalizeDomain(value, options);
  return found.valid ? found.domain : found.reason;
}

/** One a line. */
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('is the company', () => {
  describe.each([
    [
      'acme.com',
      `acme.com
      ACME.COM
      Acme.Com
      www.acme.com
      WWW.ACME.COM.
      http://acme.com
      https://www.acme.com/de/kontakt?utm_source=x&utm_medium=linkedin.com
      //www.acme.com/x
      http//acme.com
      https:/acme.com
      htttps://acme.com
      https://https://www.acme.com
      http://www.acme.com:8080/index.html
      https://acme.com/#/home
      https://acme.com/linkedin.com/company/other
      acme.com.
      acme.com/
      (acme.com)
      "acme.com"
      <https://acme.com>
      [Acme](https://acme.com)
      <a href="https://www.acme.com">Acme</a>
      Acme Inc. (acme.com)
      Acme, Inc. - https://acme.com
      Website: acme.com
      jo@acme.com
      Jo Doe <jo@acme.com>
      "Doe, Jo" <Jo.Doe@ACME.com>
      mailto:jo@acme.com?subject=Hi
      jo@mail.acme.com
      jo+tag@acme.com
      jo at acme.com
      jo@acme.com, ann@acme.com
      jo@gmail.com; jo@acme.com
      https://blog.acme.com/post
      careers.acme.com
      Acme#http://www.acme.com#
      #http://www.acme.com#
      Acme#mailto:jo@acme.com#
      acme.com | +49 30 12.34.56
      N/A jo@acme.com
      - jo@acme.com
      none acme.com
      (blank) jo@acme.com
      #N/A https://acme.com
      null jo@acme.com
      https://www.linkedin.com/company/acme; https://acme.com
      https://www.linkedin.com/company/acme jo@acme.com
      https://facebook.com/acme, www.acme.com
      https://bit.ly/3xYz acme.com
      example.com jo@acme.com
      acme.zendesk.com jo@acme.com
      Müller GmbH & Co.KG acme.com
      Mr.Green jo@acme.com
      https://www.acme.com/store/etsy.com
      https://urldefense.com/v3/__https://www.acme.com/de__;!!AbC!xyz$
      https://urldefense.proofpoint.com/v2/url?u=https-3A__www.acme.com_de&d=DwMFaQ&c=x
      https://eur03.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.acme.com%2F&data=05%7C01
      https://www.google.com/url?q=https://www.acme.com/&sa=D&source=editors
      https://www.google.com/url?sa=t&url=https%3A%2F%2Facme.com%2F&usg=x
      https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.acme.com%2F%3Ffbclid%3Dx&h=AT0
      https://www.linkedin.com/redir/redirect?url=https%3A%2F%2Facme%2Ecom&urlhash=x
      https://l.instagram.com/?u=https%3A%2F%2Facme.com%2F&e=AT
      https://www.youtube.com/redirect?event=channel&q=https%3A%2F%2Facme.com
      https://web.archive.org/web/20200101000000/https://www.acme.com/
      https://linkprotect.cudasvc.com/url?a=https%3a%2f%2facme.com&c=E,1
      https://slack-redir.net/link?url=https%3A%2F%2Facme.com
      https://duckduckgo.com/l/?uddg=https%3A%2F%2Facme.com%2F&rut=x
      https://protect-eu.mimecast.com/s/AbCd?domain=acme.com
      \u200bacme.com\u200b
      hxxps://acme[.]com
      ａｃｍｅ．ｃｏｍ`,
    ],
    ['acme.co.uk', 'https://shop.acme.co.uk/x\njo@acme.co.uk'],
    ['monday.com', 'monday.com\nMonday.com\nhttps://monday.com/pricing\njo@monday.com'],
    ['booking.com', 'Booking.com\nBooking.com B.V.\nhttps://www.booking.com/\njo@booking.com'],
    ['amazon.com', 'Amazon.com, Inc.\namazon.com\nwww.amazon.com\nhttps://aws.amazon.com/ec2'],
    ['salesforce.com', 'Salesforce.com\nhttps://www.salesforce.com/crm\njo@salesforce.com'],
    ['hey.com', 'hey.com\nhttps://www.hey.com'],
    ['bt.com', 'bt.com\nhttps://www.bt.com/business'],
    ['zoho.com', 'zoho.com\nhttps://www.zoho.com/crm'],
    ['telia.com', 'telia.com\nhttps://www.telia.com'],
    ['ziggo.nl', 'ziggo.nl\nhttps://www.ziggo.nl/tv'],
    [
      'linkedin.com',
      'linkedin.com\nhttps://www.linkedin.com/\njo@linkedin.com\nbusiness.linkedin.com',
    ],
    ['github.com', 'github.com\nhttps://www.github.com/\nGitHub.com\njo@github.com'],
    ['facebook.com', 'facebook.com\nhttps://m.facebook.com\nhttps://www.facebook.com/?ref=x'],
    ['x.com', 'x.com\nhttps://x.com/\njo@x.com'],
    ['g2.com', 'g2.com\njo@g2.com'],
    ['glassdoor.com', 'https://www.glassdoor.com\njo@glassdoor.com'],
    ['crunchbase.com', 'crunchbase.com\njo@crunchbase.com'],
    ['bitly.com', 'bitly.com\njo@bitly.com'],
    ['bit.ly', 'https://bit.ly/'],
    ['linktr.ee', 'linktr.ee\njo@linktr.ee'],
    ['etsy.com', 'etsy.com\njo@etsy.com'],
    [
      'zendesk.com',
      'zendesk.com\nhttps://www.zendesk.com/pricing/\njo@zendesk.com\nsupport.zendesk.com',
    ],
    ['calendly.com', 'calendly.com\nhttps://www.calendly.com\njo@calendly.com'],
    ['typeform.com', 'typeform.com\nhttps://www.typeform.com/pricing\njo@typeform.com'],
    ['zoom.us', 'zoom.us\njo@zoom.us'],
    ['notion.so', 'notion.so\njo@notion.so'],
    ['slack.com', 'slack.com\nhttps://slack.com/pricing\njo@slack.com'],
    [
      'google.com',
      'google.com\nhttps://www.google.com/\njo@google.com\nhttps://cloud.google.com/run',
    ],
    ['apple.com', 'apple.com\nhttps://www.apple.com/iphone\njo@apple.com'],
    ['greenhouse.io', 'greenhouse.io\njo@greenhouse.io'],
    ['wix.com', 'wix.com\nhttps://www.wix.com/blog'],
    ['indeed.com', 'indeed.com\njo@indeed.com'],
    ['craigslist.org', 'craigslist.org'],
    ['wikipedia.org', 'wikipedia.org'],
    ['easypost.com', 'jo@easypost.com\neasypost.com'],
    ['clerk.com', 'jo@clerk.com\nclerk.com'],
    ['name.com', 'jo@name.com\nname.com'],
    ['parrot.com', 'jo@parrot.com'],
    ['ancestry.com', 'jo@ancestry.com'],
    ['singpost.com', 'jo@singpost.com'],
    ['discovery.com', 'jo@discovery.com'],
    ['alibaba.com', 'jo@alibaba.com\nhttps://www.alibaba.com/'],
    ['sly.io', 'jo@sly.io\nsly.io'],
    ['mailchimp.com', 'jo@mailchimp.com\nmailchimp.com'],
    ['royalmail.com', 'jo@royalmail.com'],
    ['gail.com', 'jo@gail.com'],
    ['cloud.com', 'jo@cloud.com\ncloud.com'],
    ['ao.com', 'jo@ao.com'],
    ['aon.com', 'jo@aon.com'],
    ['st.com', 'st.com\nST.com\njo@st.com'],
    ['dr.dk', 'dr.dk\nDR.dk'],
    ['inc.com', 'inc.com'],
    ['abc.com', 'abc.com\njo@abc.com'],
    ['test.de', 'test.de'],
    ['abc.xyz', 'abc.xyz\nhttps://abc.xyz'],
    ['blog.google', 'https://blog.google/products'],
    ['acme.myshopify.com', 'acme.myshopify.com\nhttps://acme.myshopify.com/products/x'],
    ['acme.github.io', 'https://acme.github.io/docs'],
    ['xn--mller-kva.de', 'müller.de\nhttps://www.MÜLLER.de/x\njo@müller.de'],
  ])('%s', (domain, texts) => {
    it.each(lines(texts))('%s', (text) => {
      expect(read(text)).toBe(domain);
    });
  });
});

describe('is no company', () => {
  describe.each([
    [
      'profile_page',
      `https://www.linkedin.com/company/acme
      linkedin.com/company/acme/about
      https://www.linkedin.com/in/jo-doe-123/
      https://de.linkedin.com/in/jo-doe
      de.linkedin.com
      https://www.linkedin.com/sales/company/123
      http://linkedin.com/pub/jo-doe/1/2/3
      https://www.linkedin.com/company/acme?trk=x
      LinkedIn.com/company/Acme
      https://www.facebook.com/acme
      https://m.facebook.com/acme.page
      https://de-de.facebook.com/acme/
      facebook.com/profile.php?id=100
      fb.com/acme
      https://twitter.com/acme
      https://x.com/acme
      https://mobile.twitter.com/acme
      instagram.com/acme
      https://www.instagram.com/acme/?hl=de
      https://www.tiktok.com/@acme
      https://www.youtube.com/channel/UC123
      https://youtube.com/@acme
      https://vimeo.com/acme
      https://youtu.be/AbC
      https://fb.me/acme
      https://www.pinterest.de/acme
      https://t.me/acme
      https://wa.me/491701234567
      https://api.whatsapp.com/send?phone=49170
      https://www.threads.net/@acme
      https://bsky.app/profile/acme.com
      https://mastodon.social/@acme
      https://www.xing.com/pages/acme
      https://vk.com/acme
      https://medium.com/@acme
      acme.medium.com
      acme.substack.com
      acme.tumblr.com
      https://github.com/acme
      https://github.com/acme/widget.js
      https://gitlab.com/acme
      https://bitbucket.org/acme/
      https://www.npmjs.com/package/acme
      https://huggingface.co/acme
      https://stackoverflow.com/users/1/jo
      https://www.crunchbase.com/organization/acme
      crunchbase.com/person/jo
      https://pitchbook.com/profiles/company/1
      https://www.zoominfo.com/c/acme/1
      https://www.apollo.io/companies/acme/1
      https://angel.co/company/acme
      https://wellfound.com/company/acme
      https://www.ycombinator.com/companies/acme
      https://www.producthunt.com/products/acme
      https://www.g2.com/products/acme/reviews
      https://www.capterra.com/p/1/Acme
      https://www.trustpilot.com/review/acme.com
      https://de.trustpilot.com/review/acme.com
      https://www.glassdoor.com/Overview/Working-at-Acme
      https://www.kununu.com/de/acme
      https://clutch.co/profile/acme
      https://www.yelp.com/biz/joe’s.pizza
      https://www.yellowpages.com/x/acme
      https://www.gelbeseiten.de/gsbiz/1
      https://www.northdata.de/acme
      https://find-and-update.company-information.service.gov.uk/company/1
      https://opencorporates.com/companies/gb/1
      https://www.dnb.com/business-directory/company-profiles.acme.1.html
      https://www.bloomberg.com/profile/company/ACME:US
      https://finance.yahoo.com/quote/ACME
      https://en.wikipedia.org/wiki/Acme
      https://de.wikipedia.org/wiki/Acme_GmbH
      https://www.wikidata.org/wiki/Q1
      https://techcrunch.com/2024/01/01/acme-raises/
      https://www.prnewswire.com/news-releases/acme.html
      https://www.google.com/maps/place/Acme/@52.5,13.4,17z/data=!3m1
      https://maps.google.com/?cid=1
      https://goo.gl/maps/AbC
      https://maps.app.goo.gl/AbC
      https://g.page/acme
      https://www.google.com/search?q=acme.com
      https://www.google.de/search?q=acme
      https://www.bing.com/search?q=acme
      https://similarweb.com/website/acme.com
      https://builtwith.com/acme.com
      https://www.behance.net/acme
      https://dribbble.com/acme
      https://www.imdb.com/name/nm1
      https://open.spotify.com/artist/1
      https://soundcloud.com/acme
      https://about.me/jo
      https://www.patreon.com/acme
      https://www.upwork.com/agencies/1
      https://www.meetup.com/acme
      https://www.bbb.org/us/ca/acme`,
    ],
    [
      'short_link',
      `https://bit.ly/3xYz
      bit.ly/acme
      https://lnkd.in/eAbC
      https://t.co/AbC
      https://tinyurl.com/acme
      https://ow.ly/x
      https://goo.gl/AbC
      https://hubs.ly/Q01
      https://buff.ly/2x
      https://rebrand.ly/acme
      https://linktr.ee/acme
      https://beacons.ai/acme
      https://bio.link/acme
      https://taplink.cc/acme
      https://amzn.to/3x
      https://mailchi.mp/acme/x
      https://acme.us1.list-manage.com/track/click?u=1
      https://urldefense.com/v3/__unreadable
      https://clicktime.symantec.com/3AbC
      https://acme-com.translate.goog/x`,
    ],
    [
      'store_page',
      `https://apps.apple.com/us/app/acme/id1
      https://itunes.apple.com/app/id1
      https://play.google.com/store/apps/details?id=com.acme
      https://chrome.google.com/webstore/detail/acme/abc
      https://www.amazon.com/stores/Acme/page/1
      https://www.amazon.de/dp/B01
      amazon.co.uk/acme
      https://www.etsy.com/shop/acme
      acme.etsy.com
      https://www.ebay.com/str/acme
      https://www.ebay.de/usr/acme
      https://acme.en.alibaba.com
      https://acme.aliexpress.com/store/1
      https://shopee.sg/acme
      https://www.booking.com/hotel/de/acme.html
      https://www.tripadvisor.com/Hotel_Review-acme
      https://www.airbnb.com/rooms/1
      https://www.opentable.com/r/acme
      https://www.ubereats.com/store/acme
      https://www.doordash.com/store/acme
      https://www.lieferando.de/speisekarte/acme
      https://www.kleinanzeigen.de/s-bestandsliste.html?userId=1
      https://store.steampowered.com/app/1
      https://www.udemy.com/user/acme
      https://www.immobilienscout24.de/anbieter/acme`,
    ],
    [
      'hosted_site',
      `acme.zendesk.com
      https://acme.zendesk.com/hc/en-us
      support@acme.zendesk.com
      acme.freshdesk.com
      acme.onmicrosoft.com
      jo@acme.onmicrosoft.com
      acme.sharepoint.com
      https://acme-my.sharepoint.com/:w:/g/x
      acme.okta.com
      acme.atlassian.net
      https://acme.slack.com/archives/C1
      https://app.slack.com/client/T1
      https://join.slack.com/t/acme/x
      https://acme.my.salesforce.com/001
      https://acme.lightning.force.com/lightning/r/Account/1/view
      acme.my.site.com
      https://acme.wd3.myworkdayjobs.com/en-US/careers
      acme.weebly.com
      https://acme.wordpress.com
      https://acme.squarespace.com
      acme.jimdosite.com
      acme.mystrikingly.com
      acme.business.site
      acme.godaddysites.com
      https://sites.google.com/view/acme
      https://docs.google.com/document/d/1
      https://drive.google.com/file/d/1
      https://forms.gle/AbC
      https://meet.google.com/abc-defg-hij
      https://calendar.app.google/x
      https://acme.typeform.com/to/x
      https://form.typeform.com/to/x
      https://www.jotform.com/form/1
      https://forms.office.com/r/x
      https://share.hsforms.com/1x
      https://meetings.hubspot.com/jo
      acme.hs-sites.com
      https://info.acme.hubspotpagebuilder.com
      https://calendly.com/acme/30min
      https://cal.com/jo
      https://acme.chilipiper.com/book/x
      https://zoom.us/j/123
      https://us02web.zoom.us/j/123
      https://acme.zoom.us/my/jo
      https://teams.microsoft.com/l/meetup-join/x
      https://boards.greenhouse.io/acme
      https://job-boards.greenhouse.io/acme/jobs/1
      https://jobs.lever.co/acme
      https://jobs.ashbyhq.com/acme
      https://apply.workable.com/acme
      https://careers.smartrecruiters.com/Acme
      acme.jobs.personio.de
      acme.recruitee.com
      acme.teamtailor.com
      acme.bamboohr.com/careers
      https://www.indeed.com/cmp/Acme
      https://de.indeed.com/viewjob?jk=1
      https://www.stepstone.de/cmp/de/acme
      https://www.dropbox.com/s/abc/x.pdf
      https://www.notion.so/acme/Page-1
      https://www.canva.com/design/x
      https://airtable.com/shrAbC
      https://acme.notion.so
      https://trello.com/b/x
      https://www.figma.com/file/x
      https://acme.pipedrive.com/deal/1
      https://app.hubspot.com/contacts/1/company/2
      https://buy.stripe.com/x
      https://paypal.me/acme
      https://wetransfer.com/downloads/x
      https://tally.so/r/x
      https://www.surveymonkey.com/r/x
      https://acme.youcanbook.me
      https://acme.thinkific.com
      https://acme.bigcartel.com`,
    ],
    [
      'free_mail',
      `jo@gmail.com
      Jo <jo@googlemail.com>
      gmail.com
      jo@outlook.com
      jo@hotmail.co.uk
      jo@live.fr
      jo@yahoo.co.jp
      jo@icloud.com
      jo@aol.com
      jo@gmx.de
      jo@gmx.ch
      gmx.ch
      jo@web.de
      jo@posteo.de
      posteo.de
      jo@tuta.io
      jo@proton.me
      jo@protonmail.com
      jo@mail.ru
      jo@yandex.ru
      jo@qq.com
      jo@163.com
      jo@naver.com
      jo@seznam.cz
      jo@wp.pl
      jo@libero.it
      jo@orange.fr
      jo@laposte.net
      jo@ziggo.nl
      jo@telenet.be
      jo@telia.com
      jo@bluewin.ch
      jo@t-online.de
      jo@btinternet.com
      jo@sky.com
      jo@comcast.net
      jo@spectrum.net
      jo@verizon.net
      jo@att.net
      jo@rogers.com
      jo@bigpond.com
      jo@xtra.co.nz
      jo@uol.com.br
      jo@terra.es
      jo@rediffmail.com
      jo@hey.com
      jo@zoho.com
      jo@duck.com
      jo@mozmail.com
      abc123@privaterelay.appleid.com
      1+jo@users.noreply.github.com
      x1@marketplace.amazon.com
      x1@marketplace.amazon.de
      x1@guest.booking.com
      x1@members.ebay.com
      team@googlegroups.com
      bot@acme.iam.gserviceaccount.com
      acme@pipedrivemail.com
      5551234@vtext.com
      x@domainsbyproxy.com
      jo@simplelogin.com
      jo@mailinator.com
      jo@yopmail.com
      jo@gnail.com
      jo@gmial.com
      jo@gmal.com
      jo@gmail.co
      jo@gmail.cm
      jo@outlok.com
      jo@hotmial.com
      jo@hotmai.com
      jo@yahooo.com
      jo@yaho.com
      jo@iclould.com
      jo@mail.yahoo.com
      N/A jo@gmail.com
      jo@gmail.com ann@web.de`,
    ],
    [
      'placeholder',
      `example.com
      https://www.example.com
      jo@example.org
      test.com
      test@test.com
      yourcompany.com
      https://www.yourwebsite.com
      jo@yourdomain.com
      mycompany.com
      none.com
      none@none.com
      noemail.com
      noemail@noemail.com
      nomail@nomail.com
      no@no.com
      na@na.com
      asdf.com
      asdf@asdf.com
      abc@abcd.com
      xxx.com
      beispiel.de
      N/A
      n/a
      #N/A
      #REF!
      n.a.
      k.A.
      NA
      -
      --
      —
      none
      None
      null
      undefined
      unknown
      UNKNOWN
      (blank)
      <none>
      "none"
      tbd
      TBD.
      xxx
      ...
      no website
      not available
      keine Angabe
      ninguno
      [object Object]
      N/A N/A
      - -
      none n/a`,
    ],
    [
      'not_a_domain',
      `Müller GmbH & Co.KG
      Müller GmbH & Co. KG u. Co.KG
      Acme Pvt.Ltd.
      Acme Pty.Ltd
      Acme Co.Ltd.
      Acme (Pvt.) Co.Ltd
      Mr.Green
      Mr.Green Ltd
      MR.GREEN
      Mr.Cooper
      Dr.Oetker
      Dr.Med. Müller
      St.Gallen
      St.Church Bakery
      U.S.
      U.S. Steel
      U.K. Ltd
      Barilla S.p.A.
      Telefónica S.A.
      Philips N.V.
      TSV 1860 e.V.
      Toys.R.Us
      Acme.Inc
      Acme.Company
      hey.apple, facebook
      hey.apple
      we.google, facebook`,
    ],
    [
      'no_dot',
      `acme
      Acme Corporation
      acme,com
      acme . com
      Acme GmbH
      @acme
      jo@acme
      +49 30 1234567`,
    ],
    ['unknown_tld', 'Node.js\nacme.con\nacme.comm\nreport.pdf\njo@acme.cmo'],
  ])('%s', (reason, texts) => {
    it.each(lines(texts))('%s', (text) => {
      expect(read(text)).toBe(reason);
    });
  });
});

describe('lists and objects as nodes give them', () => {
  it.each<[from: string, value: unknown, domain: string]>([
    ['Airtable', ['https://acme.com'], 'acme.com'],
    ['Airtable, several', ['https://linkedin.com/company/acme', 'https://acme.com'], 'acme.com'],
    ['Airtable, a button', { label: 'Open', url: 'https://acme.com' }, 'acme.com'],
    ['HubSpot', { value: 'acme.com', timestamp: 1, source: 'API' }, 'acme.com'],
    ['HubSpot, a company', { properties: { domain: { value: 'acme.com' } } }, 'acme.com'],
    [
      'Pipedrive, the primary one',
      [
        { label: 'home', value: 'jo@other.com', primary: false },
        { label: 'work', value: 'jo@acme.com', primary: true },
      ],
      'acme.com',
    ],
    [
      'Pipedrive, where the primary one is private',
      [
        { value: 'jo@gmail.com', primary: true },
        { value: 'jo@acme.com', primary: false },
      ],
      'acme.com',
    ],
    ['Pipedrive, empty', [{ value: '', primary: true }], 'empty'],
    ['Google Contacts', [{ value: 'jo@acme.com', type: 'work' }], 'acme.com'],
    ['Notion, a URL', { type: 'url', url: 'https://acme.com' }, 'acme.com'],
    ['Notion, text', { rich_text: [{ plain_text: 'acme.com', href: null }] }, 'acme.com'],
    ['monday.com', { url: 'https://acme.com', text: 'Acme' }, 'acme.com'],
    ['Attio', [{ domain: 'app.acme.com', root_domain: 'acme.com' }], 'acme.com'],
    ['Close', [{ email: 'jo@acme.com', type: 'office' }], 'acme.com'],
    ['Excel', { text: 'Acme', hyperlink: 'https://acme.com' }, 'acme.com'],
    ['as JSON', '[{"label":"work","value":"jo@acme.com","primary":true}]', 'acme.com'],
    ['an avatar is no company', { avatar: 'https://cdn.other.com/x.png' }, 'not_text'],
    ['only profiles', ['https://x.com/acme'], 'profile_page'],
    ['nothing', {}, 'not_text'],
  ])('%s', (_from, value, domain) => {
    expect(read(value)).toBe(domain);
  });

  it('an object without end is read as far as it goes', () => {
    const circle: Record<string, unknown> = { label: 'x' };
    circle.value = circle;
    expect(read(circle)).toBe('not_text');
  });
});

describe('own and other domains', () => {
  const own = { ...USUAL, ignoreDomains: new Set(['own.com']) };
  const accepting = {
    ...USUAL,
    acceptDomains: new Set(['linkedin.com', 'acme.zendesk.com', 'gmail.com', 'example.com']),
  };

  it.each([
    ['jo@own.com', 'ignored'],
    ['https://shop.own.com/x', 'ignored'],
    ['own.com', 'ignored'],
    ['own.com, acme.com', 'acme.com'],
    ['https://linkedin.com/company/own jo@own.com', 'ignored'],
    ['notown.com', 'notown.com'],
  ])('ignored: %s is %s', (text, domain) => {
    expect(read(text, own)).toBe(domain);
  });

  it.each([
    ['https://www.linkedin.com/company/acme', 'linkedin.com'],
    ['https://acme.zendesk.com/hc', 'acme.zendesk.com'],
    ['other.zendesk.com', 'hosted_site'],
    ['jo@gmail.com', 'gmail.com'],
    ['www.example.com', 'example.com'],
  ])('always accepted: %s is %s', (text, domain) => {
    expect(read(text, accepting)).toBe(domain);
  });

  it('ignored is stronger than accepted', () => {
    expect(read('own.com', { ...own, acceptDomains: new Set(['own.com']) })).toBe('ignored');
  });
});

it('messages name the host and say what to do', () => {
  const found = normalizeDomain('https://de.linkedin.com/in/jo', USUAL);
  expect(found).toMatchObject({
    reason: 'profile_page',
    about: 'linkedin.com',
    message:
      "de.linkedin.com has pages about companies and people, not their own sites: give the company's own website or an email address there",
  });
});

it('where subdomains are kept, the same hosts are refused', () => {
  const keep = { ...USUAL, subdomains: 'keep' } as const;
  expect(read('https://de.linkedin.com/in/jo', keep)).toBe('profile_page');
  expect(read('x1@marketplace.amazon.com', keep)).toBe('free_mail');
  expect(read('https://www.shop.acme.com/x', keep)).toBe('shop.acme.com');
});
