/*
 * Names of countries in several languages, and their ISO 3166-1 codes.
 */

/** ISO 3166-1: each alpha-2 code followed by its alpha-3 code. */
const CODES =
  'AWABW AFAFG AOAGO AIAIA AXALA ALALB ADAND AEARE ARARG AMARM ASASM AQATA TFATF AGATG AUAUS ATAUT AZAZE BIBDI BEBEL BJBEN BQBES BFBFA BDBGD BGBGR BHBHR BSBHS BABIH BLBLM BYBLR BZBLZ BMBMU BOBOL BRBRA BBBRB BNBRN BTBTN BVBVT BWBWA CFCAF CACAN CCCCK CHCHE CLCHL CNCHN CICIV CMCMR CDCOD CGCOG CKCOK COCOL KMCOM CVCPV CRCRI CUCUB CWCUW CXCXR KYCYM CYCYP CZCZE DEDEU DJDJI DMDMA DKDNK DODOM DZDZA ECECU EGEGY ERERI EHESH ESESP EEEST ETETH FIFIN FJFJI FKFLK FRFRA FOFRO FMFSM GAGAB GBGBR GEGEO GGGGY GHGHA GIGIB GNGIN GPGLP GMGMB GWGNB GQGNQ GRGRC GDGRD GLGRL GTGTM GFGUF GUGUM GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IMIMN ININD IOIOT IEIRL IRIRN IQIRQ ISISL ILISR ITITA JMJAM JEJEY JOJOR JPJPN KZKAZ KEKEN KGKGZ KHKHM KIKIR KNKNA KRKOR KWKWT LALAO LBLBN LRLBR LYLBY LCLCA LILIE LKLKA LSLSO LTLTU LULUX LVLVA MOMAC MFMAF MAMAR MCMCO MDMDA MGMDG MVMDV MXMEX MHMHL MKMKD MLMLI MTMLT MMMMR MEMNE MNMNG MPMNP MZMOZ MRMRT MSMSR MQMTQ MUMUS MWMWI MYMYS YTMYT NANAM NCNCL NENER NFNFK NGNGA NINIC NUNIU NLNLD NONOR NPNPL NRNRU NZNZL OMOMN PKPAK PAPAN PNPCN PEPER PHPHL PWPLW PGPNG PLPOL PRPRI KPPRK PTPRT PYPRY PSPSE PFPYF QAQAT REREU ROROU RURUS RWRWA SASAU SDSDN SNSEN SGSGP GSSGS SHSHN SJSJM SBSLB SLSLE SVSLV SMSMR SOSOM PMSPM RSSRB SSSSD STSTP SRSUR SKSVK SISVN SESWE SZSWZ SXSXM SCSYC SYSYR TCTCA TDTCD TGTGO THTHA TJTJK TKTKL TMTKM TLTLS TOTON TTTTO TNTUN TRTUR TVTUV TWTWN TZTZA UGUGA UAUKR UMUMI UYURY USUSA UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM ZAZAF ZMZMB ZWZWE'.split(
    ' ',
  );

/** Languages in which lists often name countries. */
const LANGUAGES = 'en de fr es it pt nl pl sv da nb fi cs hu ro tr ja zh'.split(' ');

/** Common names of countries that none of these languages lists. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  unitedstatesofamerica: 'US',
  theunitedstates: 'US',
  america: 'US',
  uk: 'GB',
  greatbritain: 'GB',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  northernireland: 'GB',
  holland: 'NL',
  thenetherlands: 'NL',
  republicofireland: 'IE',
  czechrepublic: 'CZ',
  tschechei: 'CZ',
  korea: 'KR',
  republicofkorea: 'KR',
  uae: 'AE',
  prc: 'CN',
  peoplesrepublicofchina: 'CN',
  mainlandchina: 'CN',
  hongkong: 'HK',
  macau: 'MO',
  russianfederation: 'RU',
  turkey: 'TR',
  vietnam: 'VN',
  ivorycoast: 'CI',
  macedonia: 'MK',
  brd: 'DE',
};

let known: ReadonlyMap<string, string> | undefined;

/** Returns country codes by normalized name; built on first use. */
function getCodesByName(): ReadonlyMap<string, string> {
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  const add = (name: string, code: string) => {
    if (!made.has(name)) made.set(name, code);
  };
  for (const both of CODES) {
    const code = both.slice(0, 2);
    add(foldName(code), code);
    add(foldName(both.slice(2)), code);
  }
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    for (const both of CODES) add(foldName(names.of(both.slice(0, 2)) ?? ''), both.slice(0, 2));
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) add(name, code);
  known = made;
  return made;
}

/**
 * Returns the ISO code of the country that a text names, in any supported language and also next to
 * other words (`Berlin, Germany`, `Deutschland (DE)`, `US-CA`).
 *
 * @returns undefined if the text names no country, or several.
 */
export function toCountryCode(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_COUNTRY_LENGTH) return undefined;
  const codes = getCodesByName();
  const whole = codes.get(foldName(text));
  if (whole !== undefined) return whole;
  const parts = text.split(/[,;/|()[\]]|\s[-–—]\s|(?<=^[A-Za-z]{2})-(?=[A-Z0-9]{1,3}$)/);
  const named = parts.flatMap((part, index) => {
    const name = foldName(part);
    // `CA` after a city is a state of the US.
    return name.length === 2 && index > 0 && parts.length > 1 ? [] : (codes.get(name) ?? []);
  });
  const [code, ...more] = new Set(named);
  return more.length === 0 ? code : undefined;
}

const MAX_COUNTRY_LENGTH = 200;

function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
