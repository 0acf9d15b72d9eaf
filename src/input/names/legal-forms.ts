/**
 * Ignored when names are compared: by country, in lower case without accents and dots (`S. de R.L.` is `s de rl`).
 * From each country's company law, checked against the lists of cleanco (MIT). One that can be the last word of a
 * name belongs in `ONLY_ABBREVIATED`.
 */
export const LEGAL_FORMS: Readonly<Record<string, string>> = {
  'United States':
    'inc,incorporated,corp,corporation,co,and co,company,and company,llc,pllc,llp,lllp,lp,limited liability company,limited partnership',
  'United Kingdom': 'ltd,limited,plc,llp,unlimited,public limited company',
  Ireland: 'dac,clg,teo,teoranta,designated activity company',
  Canada: 'ltee,limitee,ulc,inc,ltd',
  'Australia, New Zealand': 'pty,pty ltd,pty limited,proprietary limited',
  'South Africa': 'pty ltd,proprietary limited,soc ltd',
  'India, Pakistan': 'pvt,pvt ltd,private limited,opc private limited',
  Singapore: 'pte,pte ltd,private limited',
  Malaysia: 'sdn bhd,bhd,sendirian berhad,berhad',
  'China, Hong Kong': 'co ltd,company limited',
  Japan: 'kk,gk,kabushiki kaisha,godo kaisha',
  Indonesia: 'tbk,persero',
  Philippines: 'opc',
  Germany:
    'gmbh,ggmbh,mbh,ag,kg,ohg,ug,gbr,kgaa,se,partg,partgmbb,gmbh and co kg,gmbh and co kgaa,ag and co kg,ug and co kg,and co kg,and co,gmbh co kg,co kg,haftungsbeschrankt,haftungsbeschraenkt,in grundung,in gruendung,i gr,aktiengesellschaft,kommanditgesellschaft,gesellschaft mit beschrankter haftung,gesellschaft mbh,eingetragener kaufmann',
  Austria: 'gesmbh,ges mbh,gesmbh and co kg,gmbh,ag,kg,og',
  Switzerland: 'ag,gmbh,sa,sarl,sagl',
  Liechtenstein: 'ag,gmbh,anstalt',
  France:
    'sa,sas,sasu,sarl,eurl,snc,sca,scop,selarl,selas,sa rl,societe anonyme,et cie,societe par actions simplifiee,societe a responsabilite limitee',
  Belgium: 'bvba,sprl,cvba,scrl,nv,bv,srl,asbl,vzw',
  Luxembourg: 'sa,sarl,sa rl,scsp,secs',
  Netherlands: 'bv,nv,vof,besloten vennootschap,naamloze vennootschap',
  Italy:
    'srl,srls,sapa,sas,snc,scarl,scrl,scpa,societa per azioni,societa a responsabilita limitata,unipersonale,socio unico',
  Spain:
    'sa,sl,slu,slp,sau,sll,slne,sociedad anonima,sociedad limitada,sociedad de responsabilidad limitada,sociedad unipersonal,s coop',
  Portugal: 'lda,sa,sgps,unipessoal lda,sociedade anonima,limitada',
  'Brazil, Chile, Colombia':
    'ltda,sa,eireli,eirl,sas,epp,ltda me,ltda epp,cia ltda,e cia,e cia ltda,y cia,y cia ltda',
  Mexico:
    'sa de cv,s de rl,s de rl de cv,sab de cv,sapi de cv,sab,sapi,sc de rl,sociedad anonima de capital variable',
  'Argentina, Peru': 'sa,srl,saa,sac,saci,saic,saicf',
  Denmark: 'aps,amba,smba,as,ivs',
  Norway: 'as,asa,nuf',
  Sweden: 'ab,ab publ,publ,aktiebolag,handelsbolag',
  Finland: 'oy,oyj,oy ab,abp,osakeyhtio',
  Iceland: 'ehf,hf,ohf,slf',
  Estonia: 'ou,as',
  Latvia: 'sia',
  Lithuania: 'uab',
  Poland:
    'sp z oo,spolka z oo,sp zoo,sp k,sp j,sp z oo sp k,sp z oo sp j,spk,spj,sa,ska,spolka akcyjna,spolka z ograniczona odpowiedzialnoscia,spolka komandytowa,spolka jawna,spolka cywilna',
  'Czech Republic, Slovakia':
    'sro,as,spol s ro,spol sro,akc spol,vos,akciova spolecnost,spolecnost s rucenim omezenym',
  Hungary: 'kft,zrt,nyrt,bt,kkt',
  Romania: 'srl,sa,pfa',
  'Slovenia, Croatia, Serbia': 'doo,jdoo,dooel',
  Bulgaria: 'ood,eood,ead,оод,еоод,еад,ад',
  Greece: 'epe,ike,aebe,αε,επε,ικε,αεβε',
  Turkey:
    'as,ltd sti,limited sirketi,anonim sirketi,sanayi ve ticaret as,sanayi ve ticaret ltd sti,sanayi ve ticaret anonim sirketi,sanayi ve ticaret limited sirketi,san ve tic as,san ve tic ltd sti,tic as,tic ltd sti',
  'Russia, Ukraine':
    'ooo,oao,zao,pao,tov,llc,public joint stock company,open joint stock company,closed joint stock company,ооо,оао,зао,пао,тов',
  Israel: 'בעמ,ltd',
  'United Arab Emirates, Gulf': 'fzco,fze,fzc,wll,fz llc,pjsc,psc,saog,saoc,bsc',
  Egypt: 'sae',
  Thailand:
    'pcl,public company limited,public company ltd,public co ltd,public co limited,pub co ltd',
  Vietnam: 'jsc,joint stock company',
};

/** Also words (`Day Spa`): they count only with dots, slashes or capital letters inside (`S.p.A.`, `K/S`, `eG`). */
export const ONLY_ABBREVIATED = (
  'spa,ig,is,ks,ps,gs,ek,ev,eg,eu,ad,da,dd,et,sc,scs,ss,sal,cv,rl,lp,at,pp,pc,pa,sd,kd,od,gp,nl,ba,ans,' +
  'dno,hb,kb,ky,ay,oe,ee,ae,ei,sci,gie,ca,bm,il,cic'
).split(',');

/** Forms before a name that cannot be part of it: `ООО Ромашка`. */
export const LEADING_FORMS = (
  'ооо,оао,зао,пао,ао,тов,ип,kabushiki kaisha,aktiebolaget,aktieselskabet,' +
  'общество с ограниченнои ответственностью,акционерное общество,публичное акционерное общество,' +
  'товариство з обмеженою відповідальністю,cong ty co phan,cong ty tnhh,cong ty tnhh mtv'
).split(',');

/** Forms attached to either end of a name in languages written without spaces. */
export const ATTACHED_FORMS = [
  ...['株式会社', '有限会社', '合同会社', '(株)', '(有)', '주식회사', '유한회사', '(주)'],
  ...['股份有限公司', '有限责任公司', '有限責任公司', '有限公司'],
  ...['บริษัท', '(มหาชน)', 'จำกัด', 'M/s. ', 'M/s '],
].map((form) => form.normalize('NFKC'));
