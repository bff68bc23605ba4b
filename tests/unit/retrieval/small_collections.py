"""Two short files in each of several languages, with plain questions, and the file that answers each."""

from collections.abc import Mapping
from typing import Final

FILES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "leave": """Every employee has 28 days of paid leave a year. Requests go to the team lead at least two weeks
ahead. Up to five days may be carried over to the next year and expire at the end of March.
Whoever falls ill informs the office before nine o'clock. A doctor's note is needed from the
third day. Parents of newborn children may stay at home for up to twelve months; their job stays
reserved.""",
        "printer": """The printer on the second floor is a Brother HL-5450. It is switched on at the back. When the
red light flashes, the drum is worn out. Replacement drums are kept in the cupboard beside the
lift. A jammed sheet is removed by opening the front cover and pulling the green lever. To scan
to email, press Scan, choose the address book and confirm with OK.""",
    },
    "de": {
        "urlaub": """Alle Angestellten haben 28 Tage bezahlten Urlaub im Jahr. Anträge gehen zwei Wochen vorher an
die Teamleitung. Höchstens fünf Tage lassen sich in das nächste Jahr übertragen; sie verfallen
Ende März. Wer krank wird, meldet sich vor neun Uhr im Büro. Ab dem dritten Tag ist ein
ärztliches Attest nötig. Nach einer Geburt können Eltern bis zu zwölf Monate zu Hause bleiben;
der Arbeitsplatz bleibt frei.""",
        "drucker": """Der Drucker im zweiten Stock ist ein Brother HL-5450. Der Schalter ist auf der Rückseite. Blinkt
die rote Lampe, ist die Trommel verbraucht. Ersatztrommeln liegen im Schrank neben dem Aufzug.
Ein Papierstau wird behoben, indem man die vordere Klappe öffnet und den grünen Hebel zieht. Zum
Scannen an eine E-Mail drücken Sie auf Scan, wählen das Adressbuch und bestätigen mit OK.""",
    },
    "zh": {
        "休假": """每位员工每年有二十八天带薪年假。
申请须提前两周提交给组长。最多五天可以结转到下一年,三月底过期。
生病的员工应在九点以前通知办公室,从第三天起需要医生证明。新生儿的父母可以在家休息十二个月。""",
        "服务器": """修改 root 密码:以管理员身份登录,运行 passwd 命令,
然后输入新密码两次。
服务器每天凌晨三点自动备份,备份文件保存在 /var/backup 目录,保留三十天。
如果磁盘空间不足,请删除旧日志。重启服务使用 systemctl restart nginx。""",
    },
    "fr": {
        "congés": """Chaque employé dispose de 28 jours de congés payés par an. Les demandes sont adressées au
responsable deux semaines à l'avance. En cas de maladie, le bureau doit être prévenu avant neuf
heures.""",
        "imprimante": """L'imprimante du deuxième étage s'allume à l'arrière. Quand le voyant rouge clignote, le tambour
est usé. Les tambours de rechange se trouvent dans l'armoire à côté de l'ascenseur.""",
    },
    "es": {
        "vacaciones": """Cada empleado tiene 28 días de vacaciones pagadas al año. Las solicitudes se envían al jefe de
equipo con dos semanas de antelación. En caso de enfermedad hay que avisar a la oficina antes de
las nueve.""",
        "impresora": """La impresora de la segunda planta se enciende por detrás. Cuando parpadea la luz roja, el tambor
está gastado. Los tambores de repuesto están en el armario junto al ascensor.""",
    },
    "it": {
        "ferie": """Ogni dipendente ha 28 giorni di ferie pagate all'anno. Le richieste vanno inviate al
responsabile con due settimane di anticipo. In caso di malattia bisogna avvisare l'ufficio prima
delle nove.""",
        "stampante": """La stampante del secondo piano si accende sul retro. Quando la luce rossa lampeggia, il tamburo
è consumato. I tamburi di ricambio sono nell'armadio accanto all'ascensore.""",
    },
    "pt": {
        "férias": """Cada funcionário tem 28 dias de férias pagas por ano. Os pedidos são enviados ao chefe da equipa
com duas semanas de antecedência. Em caso de doença é preciso avisar o escritório antes das nove
horas.""",
        "impressora": """A impressora do segundo andar liga-se na parte de trás. Quando a luz vermelha pisca, o tambor
está gasto. Os tambores de substituição estão no armário ao lado do elevador.""",
    },
    "nl": {
        "verlof": """Elke medewerker heeft 28 dagen betaald verlof per jaar. Aanvragen gaan twee weken van tevoren
naar de teamleider. Wie ziek wordt, meldt zich voor negen uur bij het kantoor.""",
        "printer": """De printer op de tweede verdieping gaat aan de achterkant aan. Als het rode lampje knippert, is
de trommel versleten. Reservetrommels liggen in de kast naast de lift.""",
    },
}

QUESTIONS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "en": (
        ("How many days of leave do I get?", "leave"),
        ("How long before must a request be made?", "leave"),
        ("Can I carry days over to next year?", "leave"),
        ("What should I do when I am ill?", "leave"),
        ("When do I need a note from a doctor?", "leave"),
        ("How many months can parents stay home?", "leave"),
        ("Which model is the printer?", "printer"),
        ("What does the flashing red light mean?", "printer"),
        ("Where are the spare drums?", "printer"),
        ("How do I remove jammed paper?", "printer"),
        ("How can I scan something to an email?", "printer"),
        ("How is the printer turned on?", "printer"),
    ),
    "de": (
        ("Wie viele Urlaubstage habe ich?", "urlaub"),
        ("Wie viele Tage Urlaub gibt es?", "urlaub"),
        ("Wann muss ich einen Antrag stellen?", "urlaub"),
        ("Kann ich Urlaub ins nächste Jahr übertragen?", "urlaub"),
        ("Was mache ich, wenn ich krank bin?", "urlaub"),
        ("Ab wann brauche ich ein Attest?", "urlaub"),
        ("Wie lange dürfen Eltern nach der Geburt zu Hause bleiben?", "urlaub"),
        ("Welches Modell ist der Drucker?", "drucker"),
        ("Was bedeutet das rote Blinken der Lampe?", "drucker"),
        ("Wo sind neue Trommeln?", "drucker"),
        ("Wie behebe ich einen Papierstau?", "drucker"),
        ("Wie kann ich an eine E-Mail scannen?", "drucker"),
    ),
    "zh": (
        ("每年有多少天年假?", "休假"),
        ("年假可以结转吗?", "休假"),
        ("生病了怎么办?", "休假"),
        ("什么时候需要医生证明?", "休假"),
        ("申请要提前多久?", "休假"),
        ("父母可以休息几个月?", "休假"),
        ("如何修改root密码", "服务器"),
        ("备份保存在哪里?", "服务器"),
        ("服务器几点备份?", "服务器"),
        ("磁盘空间不足怎么办?", "服务器"),
        ("怎么重启nginx", "服务器"),
        ("日志可以删除吗?", "服务器"),
    ),
    "fr": (
        ("Combien de jours de congé ai-je par an ?", "congés"),
        ("À qui adresser ma demande ?", "congés"),
        ("Que faire si je suis malade ?", "congés"),
        ("Comment allumer l'imprimante ?", "imprimante"),
        ("Pourquoi le voyant clignote-t-il ?", "imprimante"),
        ("Où sont les tambours ?", "imprimante"),
    ),
    "es": (
        ("¿Cuántos días de vacaciones tengo?", "vacaciones"),
        ("¿A quién envío mi solicitud?", "vacaciones"),
        ("¿Qué hago en caso de estar enfermo?", "vacaciones"),
        ("¿Cómo enciendo la impresora?", "impresora"),
        ("¿Por qué parpadea una luz roja?", "impresora"),
        ("¿Dónde hay un tambor nuevo?", "impresora"),
    ),
    "it": (
        ("Quanti giorni di ferie ho?", "ferie"),
        ("A chi invio la richiesta?", "ferie"),
        ("Chi devo avvisare se sono malato?", "ferie"),
        ("Come si accende la stampante?", "stampante"),
        ("Perché lampeggia la luce rossa?", "stampante"),
        ("Dove trovo un tamburo nuovo?", "stampante"),
    ),
    "pt": (
        ("Quantos dias de férias tenho?", "férias"),
        ("Para quem envio o pedido?", "férias"),
        ("Quem devo avisar se estiver doente?", "férias"),
        ("Como ligo a impressora?", "impressora"),
        ("Por que a luz vermelha está a piscar?", "impressora"),
        ("Onde há um tambor novo?", "impressora"),
    ),
    "nl": (
        ("Hoeveel verlofdagen heb ik?", "verlof"),
        ("Naar wie stuur ik mijn aanvraag?", "verlof"),
        ("Wat moet ik doen als ik ziek ben?", "verlof"),
        ("Hoe zet ik de printer aan?", "printer"),
        ("Waarom knippert het lampje?", "printer"),
        ("Waar vind ik een nieuwe trommel?", "printer"),
    ),
}
