/**
 * States as they follow a city (`Austin, TX`), by their country. A code that is also a country's means either. Left
 * out are codes that nearly always mean the country (`Amsterdam, NL`, `Madrid, ES`, `Bangkok, TH`) and names that
 * are also those of cities elsewhere.
 */
export const STATES: Readonly<Record<string, string>> = {
  US: 'AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|District of Columbia|Washington DC|Kalifornien|Californie|加州|加利福尼亚州|カリフォルニア州|캘리포니아',
  CA: 'AB|BC|MB|NB|NS|NT|NU|ON|PE|PQ|QC|SK|YT|Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland|Newfoundland and Labrador|Northwest Territories|Nova Scotia|Nunavut|Ontario|Prince Edward Island|Quebec|Saskatchewan|Yukon',
  AU: 'ACT|NSW|NT|QLD|SA|TAS|VIC|WA|Australian Capital Territory|New South Wales|Northern Territory|Queensland|South Australia|Tasmania|Victoria|Western Australia',
  BR: 'AC|AL|AM|AP|BA|CE|DF|GO|MA|MG|MS|MT|PA|PB|PE|PI|PR|RJ|RN|RR|RS|SC|SP|TO|Bahia|Ceará|Espírito Santo|Goiás|Mato Grosso|Mato Grosso do Sul|Minas Gerais|Paraná|Pernambuco|Rio de Janeiro|Rio Grande do Norte|Rio Grande do Sul|Santa Catarina|São Paulo|Sergipe',
  IN: 'AP|DL|GA|GJ|HP|HR|JH|KA|MH|MP|OD|PB|RJ|TG|TN|TS|UP|WB|Andhra Pradesh|Assam|Bihar|Chandigarh|Chhattisgarh|Goa|Gujarat|Haryana|Himachal Pradesh|Jharkhand|Karnataka|Kerala|Madhya Pradesh|Maharashtra|Odisha|Rajasthan|Tamil Nadu|Telangana|Uttar Pradesh|Uttarakhand|West Bengal',
  DE: 'BB|BW|BY|HB|HE|HH|MV|NI|NRW|NW|RP|SH|SL|SN|ST|Baden-Württemberg|Bavaria|Bayern|Hesse|Hessen|Lower Saxony|Mecklenburg-Vorpommern|Niedersachsen|Nordrhein-Westfalen|North Rhine-Westphalia|Rheinland-Pfalz|Rhineland-Palatinate|Saarland|Sachsen|Sachsen-Anhalt|Saxony|Saxony-Anhalt|Schleswig-Holstein|Thuringia|Thüringen',
  GB: 'NI',
  // Capital districts: Bogotá, D.C.; Caracas, D.C.; México, D.F.
  CO: 'DC',
  VE: 'DC',
  MX: 'CDMX|DF',
  FR: 'Auvergne-Rhône-Alpes|Bretagne|Grand Est|Hauts-de-France|Île-de-France|Normandie|Nouvelle-Aquitaine|Occitanie|Pays de la Loire|Provence-Alpes-Côte d’Azur',
  ES: 'Andalucía|Andalusia|Aragón|Basque Country|Catalonia|Catalunya|Cataluña|Community of Madrid|Comunidad de Madrid|Comunidad Valenciana|Galicia|País Vasco|Valencian Community',
  IT: 'Campania|Emilia-Romagna|Friuli-Venezia Giulia|Lazio|Liguria|Lombardia|Lombardy|Piedmont|Piemonte|Sardegna|Sicilia|Toscana|Tuscany|Veneto',
  NL: 'Gelderland|Noord-Brabant|Noord-Holland|North Brabant|North Holland|Overijssel|South Holland|Zuid-Holland',
};

/** Codes of Italian provinces that are also those of states: `Milano (MI)`, `20121 Milano MI`. */
export const ITALIAN_PROVINCES =
  'AL AR CA CO CT ME MI MN MO MS MT OR PA PE PR RI SP TN TO VA VT'.split(' ');

/** What Japanese, Chinese and Korean write without their country. 縣 is only Taiwan's, 県 only Japan's. */
export const EAST_ASIAN_STATES: ReadonlyArray<readonly [country: string, RegExp]> = [
  ['JP', /^(?:東京|北海道|大阪|京都|神奈川|愛知|福岡|兵庫|埼玉|千葉|静岡|広島|宮城)|\p{sc=Han}県/u],
  [
    'CN',
    /^(?:北京|上海|天津|重庆|广东|江苏|浙江|山东|福建|四川|湖北|湖南|河南|河北|陕西|辽宁|安徽|江西|云南)|\p{sc=Han}省|自治区/u,
  ],
  ['TW', /[臺台]北市|新北市|桃園市|[臺台]中市|[臺台]南市|高雄市|\p{sc=Han}縣/u],
  [
    'KR',
    /^(?:서울|부산|인천|대구|대전|광주|울산|세종)(?=$|[시 ])|특별시|광역시|특별자치[시도]|(?:경기|강원|충청[남북]|전라[남북]|경상[남북]|제주)도/u,
  ],
];
