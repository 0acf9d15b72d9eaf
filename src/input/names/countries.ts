import { spellOut, squeeze } from './fold';

/** ISO 3166-1: each alpha-2 code followed by its alpha-3 code. Kosovo has no official one. */
const CODES =
  'AWABW AFAFG AOAGO AIAIA AXALA ALALB ADAND AEARE ARARG AMARM ASASM AQATA TFATF AGATG AUAUS ATAUT AZAZE BIBDI BEBEL BJBEN BQBES BFBFA BDBGD BGBGR BHBHR BSBHS BABIH BLBLM BYBLR BZBLZ BMBMU BOBOL BRBRA BBBRB BNBRN BTBTN BVBVT BWBWA CFCAF CACAN CCCCK CHCHE CLCHL CNCHN CICIV CMCMR CDCOD CGCOG CKCOK COCOL KMCOM CVCPV CRCRI CUCUB CWCUW CXCXR KYCYM CYCYP CZCZE DEDEU DJDJI DMDMA DKDNK DODOM DZDZA ECECU EGEGY ERERI EHESH ESESP EEEST ETETH FIFIN FJFJI FKFLK FRFRA FOFRO FMFSM GAGAB GBGBR GEGEO GGGGY GHGHA GIGIB GNGIN GPGLP GMGMB GWGNB GQGNQ GRGRC GDGRD GLGRL GTGTM GFGUF GUGUM GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IMIMN ININD IOIOT IEIRL IRIRN IQIRQ ISISL ILISR ITITA JMJAM JEJEY JOJOR JPJPN KZKAZ KEKEN KGKGZ KHKHM KIKIR KNKNA KRKOR KWKWT LALAO LBLBN LRLBR LYLBY LCLCA LILIE LKLKA LSLSO LTLTU LULUX LVLVA MOMAC MFMAF MAMAR MCMCO MDMDA MGMDG MVMDV MXMEX MHMHL MKMKD MLMLI MTMLT MMMMR MEMNE MNMNG MPMNP MZMOZ MRMRT MSMSR MQMTQ MUMUS MWMWI MYMYS YTMYT NANAM NCNCL NENER NFNFK NGNGA NINIC NUNIU NLNLD NONOR NPNPL NRNRU NZNZL OMOMN PKPAK PAPAN PNPCN PEPER PHPHL PWPLW PGPNG PLPOL PRPRI KPPRK PTPRT PYPRY PSPSE PFPYF QAQAT REREU ROROU RURUS RWRWA SASAU SDSDN SNSEN SGSGP GSSGS SHSHN SJSJM SBSLB SLSLE SVSLV SMSMR SOSOM PMSPM RSSRB SSSSD STSTP SRSUR SKSVK SISVN SESWE SZSWZ SXSXM SCSYC SYSYR TCTCA TDTCD TGTGO THTHA TJTJK TKTKL TMTKM TLTLS TOTON TTTTO TNTUN TRTUR TVTUV TWTWN TZTZA UGUGA UAUKR UMUMI UYURY USUSA UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM ZAZAF ZMZMB ZWZWE XKXKX'.split(
    ' ',
  );

/** Languages in which lists often name countries. */
const LANGUAGES =
  'en de fr es it pt pt-PT nl pl sv da nb fi cs sk hu ro bg hr sl sr lt lv et tr ca ru uk el ar he hi th vi id ja ko zh zh-Hant'.split(
    ' ',
  );

/** Names that none of these languages lists: ISO spellings, older names, parts of a country. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  AE: 'UAE|Emirates|United Arab Emirates (UAE)|الإمارات|Объединенные Арабские Эмираты',
  BQ: 'Bonaire|Bonaire, Sint Eustatius and Saba',
  BY: 'Белоруссия',
  CD: 'DRC|RDC|Zaire',
  CG: 'Congo (Rep.)|Congo Republic',
  CI: 'Ivory Coast',
  CN: 'PRC|P.R. China|PR China|Mainland China|中华人民共和国|КНР',
  CZ: 'Czech Republic|Tschechische Republik|Tschechei|République tchèque|República Checa|Repubblica Ceca|Česká republika',
  DE: 'BRD|Bundesrepublik Deutschland',
  GB: 'UK|VK|Great Britain|Britain|England|Scotland|Wales|Northern Ireland|Großbritannien|Grande-Bretagne|Gran Bretaña|Gran Bretagna|Grã-Bretanha|Groot-Brittannië|Velká Británie|Nagy-Britannia|Marea Britanie|Angleterre|Inglaterra|Inghilterra|Engeland|Anglia|İngiltere|Англия|Αγγλία|Μεγάλη Βρετανία|بريطانيا|ब्रिटेन|United Kingdom of Great Britain and Northern Ireland',
  GR: 'Hellenic Republic|Ελλάς',
  HM: 'Heard Island and McDonald Islands',
  IE: 'Eire',
  JP: '日本国',
  KG: 'Kyrgyz Republic',
  KP: 'DPRK',
  KR: 'Korea|ROK|Korea (Rep.)|Korea Republic|Korea (the Republic of)|Corea|Corée|Южная Корея|Корея|韓國',
  LA: "Lao PDR|Lao People's Democratic Republic",
  MD: 'Молдавия',
  MK: 'Macedonia|FYROM',
  MM: 'Burma',
  NL: 'Hollande|Holanda|Olanda|Голландия|Ολλανδία',
  PS: 'State of Palestine|West Bank and Gaza',
  RU: 'Russian Federation|Российская Федерация|РФ',
  SA: 'KSA|السعودية',
  SK: 'Slovak Republic',
  SY: 'Syrian Arab Republic',
  SZ: 'Swaziland',
  TH: 'ประเทศไทย',
  TL: 'East Timor',
  TR: 'Turkey',
  TW: 'Republic of China|Chinese Taipei|中華民國|臺灣',
  UM: 'United States Minor Outlying Islands',
  US: "United States of America|VS|America|米国|Amerika|Vereinigte Staaten von Amerika|États-Unis d'Amérique|Estados Unidos de América|Estados Unidos da América|Stati Uniti d'America|Stany Zjednoczone Ameryki|Соединенные Штаты Америки|الولايات المتحدة الأمريكية|Ηνωμένες Πολιτείες Αμερικής",
  VA: 'Holy See|Vatican',
  VG: 'Virgin Islands (British)',
  VI: 'Virgin Islands (U.S.)|Virgin Islands, US',
};

/** Official names in English: `Kingdom of the Netherlands`, `Republic of Moldova`. */
const TITLE =
  /^(?:the |[\w'-]+ ){0,4}(?:republic|kingdom|duchy|principality|plurinational state|federated states) of /i;
/** Countries that share their name with another, by what distinguishes them. */
const NAMESAKES: ReadonlyArray<readonly [string, RegExp]> = [
  ['CD', /^(?=.*[ck]ongo).*(?:dem|kinsha)|^(?:dr|rd)(?:of|de|del|do|du)?congo|^congo(?:dr|rd)$/],
  ['KP', /^(?=.*[ck]ore).*(?:dem|dpr|rpdc)|^nor[dt].*kore|^[ck]ore(?:a|e|ia)?nor[dt]/],
];
let known: ReadonlyMap<string, string> | undefined;

function getCodesByName(): ReadonlyMap<string, string> {
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  const add = (name: string, code: string) => {
    if (!made.has(name)) made.set(name, code);
  };
  const codes = CODES.map((both) => both.slice(0, 2));
  for (const both of CODES) {
    add(both.slice(0, 2).toLowerCase(), both.slice(0, 2));
    add(both.slice(2).toLowerCase(), both.slice(0, 2));
  }
  for (const [code, names] of Object.entries(OTHER_NAMES)) {
    for (const name of names.split('|')) add(foldName(name), code);
  }
  for (const language of LANGUAGES) {
    const long = new Intl.DisplayNames([language], { type: 'region' });
    const short = new Intl.DisplayNames([language], { type: 'region', style: 'short' });
    for (const code of codes) {
      const [name = '', shortName = ''] = [long.of(code), short.of(code)];
      add(foldName(name), code);
      if (/[äöüøå]/i.test(name)) add(squeeze(spellOut(name)), code);
      // Short names of two letters mean something else in other languages: É.-U. is not the EU.
      if (shortName !== name && !/^[a-z]{1,2}$/.test(squeeze(shortName))) {
        add(foldName(shortName), code);
      }
    }
  }
  known = made;
  return made;
}

/** A name in any supported language or a code, without other words. */
export function readCountryName(text: string): string | undefined {
  const codes = getCodesByName();
  const name = foldName(text);
  return (
    codes.get(name) ??
    NAMESAKES.find(([, form]) => form.test(name))?.[0] ??
    codes.get(foldName(text.trim().replace(TITLE, '')))
  );
}

/** Spells `Bosnia & Herzegovina`, `the Bahamas` and `St. Lucia` in one way. */
function foldName(text: string): string {
  return squeeze(text.replace(/\b(?:and|the)\b|&/gi, ' ').replace(/\bst\b/gi, 'saint'));
}
