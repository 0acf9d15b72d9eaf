/** In many languages, in lower case without spaces and accents. */
export const NOT_A_COMPANY = new Set(
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
