import { quote } from '../../values/text';
import { squeeze } from './fold';

/** In many languages, in lower case without spaces and accents. */
const NOT_A_COMPANY = new Set(
  (
    'no,nocompany,noname,empty,test,testing,testcompany,asdf,company,mycompany,yourcompany,private,' +
    'individual,personal,self,myself,me,student,retired,unemployed,homemaker,various,variouscompanies,' +
    'multiple,multiplecompanies,several,confidential,undisclosed,secret,stealth,stealthmode,' +
    'stealthstartup,stealthmodestartup,stealthaistartup,stealthcompany,instealth,selfemployed,' +
    'selfemployment,freelance,freelancer,freelancing,freelanceconsultant,independent,' +
    'independentconsultant,independentcontractor,contractor,soletrader,soleproprietor,betweenjobs,' +
    'opentowork,lookingforwork,lookingforopportunities,seekingopportunities,jobseeker,careerbreak,' +
    'privat,privatperson,selbstandig,selbststandig,selbstandiger,freiberuflich,freiberufler,' +
    'freiberuflerin,vertraulich,diverse,verschiedene,arbeitslos,arbeitssuchend,arbeitsuchend,rentner,' +
    'ichselbst,geheim,independant,independante,autoentrepreneur,microentrepreneur,confidentiel,divers,' +
    'diverses,plusieurs,moimeme,sansemploi,retraite,asoncompte,particulier,autonomo,autonoma,' +
    'independiente,confidencial,varios,varias,porcuentapropia,cuentapropia,jubilado,jubilada,' +
    'desempleado,particular,desempregado,aposentado,contapropria,porcontapropria,' +
    'liberoprofessionista,riservato,confidenziale,vari,varie,diversi,disoccupato,pensionato,inproprio,' +
    'lavoratoreautonomo,zzp,zzper,zelfstandig,zelfstandige,vertrouwelijk,diversen,gepensioneerd,' +
    'werkloos,particulier,samozatrudniony,samozatrudnienie,wlasnadzialalnosc,poufne,rozne,emeryt,' +
    'bezrobotny,egenforetagare,egetforetag,konfidentiellt,pensionar,arbetslos,selvstaendig,selvstendig,' +
    'selvstendignaeringsdrivende,fortroligt,konfidensielt,pensjonist,ledig,arbeidsledig,yrittaja,' +
    'luottamuksellinen,elakelainen,tyoton,osvc,zivnostnik,duverne,ruzne,szco,egyenivallalkozo,bizalmas,' +
    'szabaduszo,liberprofesionist,serbest,serbestcalisan,serbestmeslek,gizli,emekli,' +
    'самозанятыи,самозанятая,фриланс,фрилансер,конфиденциально,пенсионер,безработныи,разное,' +
    'индивидуальныипредприниматель,фоп,самозаинятии,ελευθεροςεπαγγελματιας,עצמאי,פרילנסר,عملحر,' +
    'フリーランス,自営業,個人事業主,非公開,無職,自由职业,自由職業,自由职业者,保密,个体户,待业,프리랜서,자영업,비공개,무직,' +
    'privateperson,privateindividual,naturalperson,home,athome,pessoafisica,personafisica,personanatural,' +
    'personneprivee,personnephysique,privatpersonen,privatpersoon,privatperson,natuurlijkpersoon,privato,' +
    'privata,osobaprywatna,osobafizyczna,soukromaosoba,fyzickaosoba,sukromnaosoba,maganszemely,' +
    'persoanafizica,yksityishenkilo,fizickaosoba,privatnaosoba,fizicnaoseba,eraisik,fizinisasmuo,sahis,' +
    'gercekkisi,bireysel,частноелицо,физическоелицо,физлицо,фл,приватнаособа,фізичнаособа,ιδιωτης,' +
    'אדםפרטי,פרטי,فرد,شخص,บุคคลธรรมดา,व्यक्तिगत,canhan,perorangan,個人,个人,個人のお客様,개인'
  ).split(','),
);

/** Cells of total rows and headers. Some are names of companies too: where nothing else tells, they are none. */
const ROW_LABELS = new Set(
  (
    'total,totals,grandtotal,subtotal,sum,count,average,summe,gesamt,gesamtsumme,gesamtergebnis,zwischensumme,' +
    'insgesamt,anzahl,totalgeneral,soustotal,somme,suma,totale,totaal,totalt,totalsumma,summa,razem,' +
    'celkem,osszesen,toplam,итого,всего,合計,総計,小計,合计,总计,小计,합계,총계,' +
    'name,names,company,companies,companyname,accountname,account,organization,organisation,organizationname,' +
    'businessname,customer,customername,client,clientname,employer,firma,firmen,firmenname,unternehmen,' +
    'unternehmensname,kunde,kunden,kundenname,entreprise,societe,raisonsociale,nomdelentreprise,nom,empresa,' +
    'nombre,nombredelaempresa,razonsocial,cliente,nomedaempresa,razaosocial,nome,azienda,societa,ragionesociale,' +
    'bedrijf,bedrijfsnaam,klant,foretag,foretagsnamn,virksomhed,virksomhedsnavn,firmanavn,bedrift,yritys,' +
    'nazwafirmy,nazevfirmy,ceg,cegnev,sirket,компания,организация,название,названиекомпании,' +
    '会社名,企業名,社名,会社,公司,公司名称,公司名稱,企业名称,회사,회사명,기업명'
  ).split(','),
);
/** A number, also with a currency or a percent sign, or a date. */
const NUMBER_OR_DATE = /^(?=.*\d)[\d\s.,:'%\p{Sc}+/-]+(?:[TZ][\d:.Z]*)?$/u;

export function isNoCompany(text: string): boolean {
  return NOT_A_COMPANY.has(squeeze(text));
}

/** Says why a row that has only this name has no company; undefined for a name. */
export function findNoCompany(text: string): string | undefined {
  if (ROW_LABELS.has(squeeze(text)) || NUMBER_OR_DATE.test(text)) {
    return `${quote(text)} looks like a total row or a header`;
  }
  return isNoCompany(text) ? `${quote(text)} is no company` : undefined;
}
