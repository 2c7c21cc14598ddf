"""Titles of columns in English, German, French, Spanish, Italian, Dutch and Portuguese.

Case, accents, blanks, punctuation and units in brackets do not matter. The names of a column are in
ranks: those of a later rank count only if the table has none of an earlier one. Two columns of the
same rank are ambiguous. Words with other usual meanings, such as German `Breite`, are left out.
"""

Ranks = tuple[str, ...]  # names in one rank are separated by commas

LAT: Ranks = (
    "lat, latitude, gps lat, geo lat, breitengrad, geogr. breite, geographische breite, latitud, "
    "latitudine, breedtegraad, geografische breedte",
)
LON: Ranks = (
    "lon, lng, long, longitude, gps lon, gps lng, geo lon, längengrad, geogr. länge, "
    "geographische länge, longitud, longitudine, lengtegraad, geografische lengte",
)
X: Ranks = (
    "x, x coordinate, x coord, coord x, easting, x-koordinate, rechtswert, ostwert, coordonnée x, "
    "coordenada x, coordinata x, x-coördinaat",
)
Y: Ranks = (
    "y, y coordinate, y coord, coord y, northing, y-koordinate, hochwert, nordwert, coordonnée y, "
    "coordenada y, coordinata y, y-coördinaat",
)
OPEN: Ranks = (
    "open, opens, opening, opening time, open from, earliest, earliest time, ready time, "
    "time window start, window start, tw start, opens at, open at, opening at, delivery from, "
    "deliver from, deliver after, earliest delivery, "
    "öffnet, öffnung, geöffnet von, geöffnet ab, öffnungszeit von, zeitfenster von, "
    "zeitfenster beginn, zeitfenster start, frühestens, früheste ankunft, öffnungszeiten von, "
    "öffnet um, lieferzeit von, lieferzeit ab, lieferung ab, lieferung von, lieferfenster von, "
    "anlieferung ab, anlieferung von, anlieferzeit von, anlieferzeit ab, warenannahme von, "
    "warenannahme ab, "
    "ouvre, ouverture, heure d'ouverture, heure ouverture, début créneau, créneau début, "
    "ouvert de, ouvre à, heure de début, heure début, livraison à partir de, livrer à partir de, "
    "abre, apertura, hora de apertura, hora apertura, inicio ventana, ventana inicio, "
    "hora inicio, hora de inicio, entrega desde, abierto desde, "
    "apre, orario di apertura, orario apertura, ora apertura, ora di apertura, inizio finestra, "
    "ora inizio, ora di inizio, orario inizio, consegna dalle, aperto dalle, "
    "opent, openingstijd, open van, opent om, tijdvenster van, tijdvenster start, vroegst, "
    "starttijd, levering vanaf, leveren vanaf, "
    "abertura, hora de abertura, hora abertura, horário de abertura, início janela, "
    "janela início, hora início, hora de início, entrega a partir de, aberto das",
    "from, von, ab, de, desde, dalle, da, van, das, start, beginn, début, inicio, inizio, início",
)
CLOSE: Ranks = (
    "close, closes, closing, closing time, open until, latest, latest time, due time, due date, "
    "time window end, window end, tw end, closes at, close at, closing at, delivery until, "
    "delivery to, deliver until, deliver before, latest delivery, "
    "schließt, schließung, geöffnet bis, öffnungszeit bis, zeitfenster bis, zeitfenster ende, "
    "spätestens, späteste ankunft, öffnungszeiten bis, schließt um, lieferzeit bis, "
    "lieferung bis, lieferfenster bis, anlieferung bis, anlieferzeit bis, warenannahme bis, "
    "ferme, fermeture, heure de fermeture, heure fermeture, fin créneau, créneau fin, "
    "ouvert jusqu'à, ferme à, heure de fin, heure fin, livraison jusqu'à, livrer avant, "
    "cierra, cierre, hora de cierre, hora cierre, fin ventana, ventana fin, "
    "hora fin, hora de fin, entrega hasta, abierto hasta, "
    "chiude, chiusura, orario di chiusura, orario chiusura, ora chiusura, ora di chiusura, "
    "fine finestra, ora fine, ora di fine, orario fine, consegna alle, aperto alle, "
    "sluit, sluiting, sluitingstijd, open tot, sluit om, tijdvenster tot, tijdvenster einde, "
    "laatst, eindtijd, levering tot, leveren voor, "
    "fecho, fechamento, encerramento, hora de fecho, hora fecho, horário de fecho, fim janela, "
    "janela fim, hora fim, hora de fim, entrega até, aberto até",
    "to, until, bis, à, jusqu'à, hasta, alle, a, tot, até, às, end, ende, fin, fine, einde, fim",
)
WINDOWS: Ranks = (  # whole ranges in one cell: 08:00-12:00
    "windows, window, time windows, time window, opening hours, opening times, open hours, "
    "business hours, delivery hours, delivery window, delivery windows, delivery times, "
    "öffnungszeiten, öffnungszeit, zeitfenster, lieferzeiten, lieferzeitfenster, lieferfenster, "
    "anlieferzeiten, anlieferzeit, warenannahme, annahmezeiten, "
    "horaires d'ouverture, horaire d'ouverture, horaires, horaire, heures d'ouverture, "
    "créneau, créneaux, créneau horaire, créneaux horaires, créneau de livraison, "
    "horario, horarios, horario de apertura, horario de entrega, ventana horaria, "
    "ventana de tiempo, ventanas de tiempo, franja horaria, "
    "orari, orario, orari di apertura, orari apertura, orari di consegna, orario di consegna, "
    "finestra oraria, finestra temporale, fascia oraria, "
    "openingstijden, openingsuren, tijdvenster, tijdvensters, levertijden, venstertijden, "
    "horário, horários, horário de funcionamento, horários de funcionamento, "
    "horário de entrega, janela de tempo, janelas de tempo, janela horária, janela de entrega",
)
PLACE: dict[str, Ranks] = {  # of customers and of depots
    "lat": LAT,
    "lon": LON,
    "x": X,
    "y": Y,
    "open": OPEN,
    "close": CLOSE,
    "windows": WINDOWS,
}
CUSTOMER_NAMES: dict[str, Ranks] = {
    "id": (
        "id",
        "customer id, customer no, customer number, customer code, client id, client number, "
        "stop id, store id, store number, "
        "kunden-id, kundennummer, kundennr, kd-nr, kdnr, filialnummer, filiale nr, "
        "n° client, no client, numéro client, code client, id client, réf client, "
        "n.º cliente, nº cliente, número de cliente, código cliente, código de cliente, "
        "id cliente, codice cliente, numero cliente, n. cliente, cod. cliente, "
        "klantnummer, klantnr, klant-id, klantcode, "
        "código do cliente, número do cliente, cód. cliente",
        "customer, client, store, shop, kunde, kunden, filiale, empfänger, magasin, destinataire, "
        "cliente, clienti, clientes, tienda, destinatario, negozio, klant, winkel, loja, "
        "destinatário",
        "name, customer name, kundenname, firma, nom, nom du client, nombre, nombre del cliente, "
        "nome, nome cliente, ragione sociale, naam, klantnaam, bedrijf, nome do cliente",
        "order, order id, order no, order number, auftrag, auftragsnummer, auftragsnr, "
        "bestellnummer, commande, n° commande, numéro de commande, pedido, nº pedido, "
        "número de pedido, ordine, n. ordine, numero ordine, bestelling, bestelnummer, ordernummer",
        "no, nr, number, nummer, n°, numéro, número, numero, code, código, codice, ref, réf",
    ),
    "demand": (
        "demand, quantity, qty, order quantity, bedarf, menge, liefermenge, bestellmenge, "
        "nachfrage, demande, quantité, qté, demanda, cantidad, cant, domanda, quantità, qtà, "
        "vraag, hoeveelheid, aantal, quantidade, qtd, qtde, procura",
        "weight, gewicht, poids, peso, pallets, paletten, palettes, palés, palets, pallet, "
        "europaletten, paletes, boxes, crates, kisten, kartons, caisses, colis, cajas, casse, "
        "colli, dozen, kratten, caixas, volume, volumen, ladung, load, units, einheiten, stück, "
        "unités, unidades, unità, eenheden, stuks",
    ),
    **PLACE,
    "service": (
        "service, service time, service duration, stop time, unloading time, "
        "servicezeit, standzeit, entladezeit, entladedauer, haltezeit, aufenthalt, "
        "temps de service, durée de service, durée d'arrêt, temps de déchargement, "
        "tiempo de servicio, tiempo de descarga, duración servicio, "
        "tempo di servizio, tempo di scarico, durata sosta, "
        "servicetijd, lostijd, stoptijd, "
        "tempo de serviço, tempo de descarga, duração do serviço",
    ),
    "service_per_unit": (
        "service per unit, service time per unit, unloading time per unit, "
        "servicezeit pro einheit, servicezeit je einheit, entladezeit pro einheit, "
        "entladezeit je einheit, temps de service par unité, temps de déchargement par unité, "
        "tiempo de servicio por unidad, tiempo de descarga por unidad, "
        "tempo di servizio per unità, tempo di scarico per unità, servicetijd per eenheid, "
        "lostijd per eenheid, tempo de serviço por unidade, tempo de descarga por unidade",
    ),
    "splittable": (
        "splittable, may split, can split, split allowed, teilbar, teillieferung, "
        "teillieferung erlaubt, fractionnable, divisible, livraison partielle, "
        "entrega parcial, divisibile, frazionabile, consegna parziale, splitsbaar, deelbaar, "
        "deellevering, divisível",
    ),
    "min_drop": (
        "min drop, minimum drop, min delivery, minimum delivery, mindestmenge, "
        "mindestliefermenge, mindestabladung, quantité minimale, livraison minimale, "
        "cantidad mínima, entrega mínima, quantità minima, consegna minima, "
        "minimale hoeveelheid, minimale levering, quantidade mínima",
    ),
    "max_visits": (
        "max visits, maximum visits, max. besuche, maximale besuche, max. anfahrten, "
        "visites max, nombre max de visites, máx. visitas, visitas máximas, max visite, "
        "visite massime, max bezoeken, maximaal aantal bezoeken",
    ),
    "lot": (
        "lot, lot size, losgröße, gebindegröße, gebinde, taille de lot, lote, tamaño de lote, "
        "lotto, dimensione lotto, partijgrootte, tamanho do lote",
    ),
    "extra_visit_cost": (
        "extra visit cost, cost per extra visit, kosten je zusatzbesuch, "
        "kosten pro zusatzbesuch, zusatzbesuch kosten, coût par visite supplémentaire, "
        "coste por visita adicional, costo visita aggiuntiva, kosten per extra bezoek, "
        "custo por visita adicional",
    ),
    "vehicle_types": (
        "vehicle types, vehicle type, allowed vehicles, fahrzeugtypen, fahrzeugtyp, "
        "erlaubte fahrzeuge, types de véhicule, type de véhicule, véhicules autorisés, "
        "tipos de vehículo, tipo de vehículo, vehículos permitidos, tipi di veicolo, "
        "tipo di veicolo, veicoli ammessi, voertuigtypen, voertuigtype, toegestane voertuigen, "
        "tipos de veículo, tipo de veículo, veículos permitidos",
    ),
    "penalty": (
        "penalty, penalty per unit, strafkosten, strafe, fehlmengenkosten, pénalité, "
        "penalización, penalità, penale, boete, penalidade",
    ),
}
DEPOT_NAMES: dict[str, Ranks] = {
    "id": (
        "id",
        "depot id, depot no, depotnummer, depot-nr, code dépôt, código depósito, codice deposito",
        "depot, warehouse, lager, standort, dépôt, entrepôt, depósito, almacén, deposito, "
        "magazzino, magazijn, armazém, site, location, locatie",
        "name, nom, nombre, nome, naam",
        "no, nr, number, nummer, code, código, codice",
    ),
    **PLACE,
}
PLATES = (  # a row per vehicle instead of one per type
    "plate, licence plate, license plate, registration, kennzeichen, plaque, immatriculation, "
    "matrícula, targa, kenteken, placa, patente"
)
VEHICLE_NAMES: dict[str, Ranks] = {
    "type": (
        "type, vehicle type, typ, fahrzeugtyp, fahrzeugart, type de véhicule, tipo, "
        "tipo de vehículo, tipo di veicolo, voertuigtype, tipo de veículo",
        "vehicle, truck, fahrzeug, lkw, véhicule, camion, vehículo, veicolo, voertuig, veículo",
        "name, nom, nome, naam, bezeichnung, id",
        PLATES,
    ),
    "count": (
        "count, number, number of vehicles, quantity, available, anzahl, anzahl fahrzeuge, "
        "verfügbar, nombre, nombre de véhicules, disponibles, cantidad, número, "
        "número de vehículos, numero, quantità, numero veicoli, disponibili, aantal, "
        "aantal voertuigen, beschikbaar, quantidade, número de veículos, disponíveis",
    ),
    "capacity": (
        "capacity, payload, max load, kapazität, nutzlast, zuladung, ladekapazität, capacité, "
        "charge utile, capacidad, carga útil, carga máxima, capacità, portata, carico utile, "
        "capaciteit, laadvermogen, capacidade",
    ),
    "depot": (
        "depot, start depot, home depot, depot id, lager, startdepot, standort, dépôt, "
        "dépôt de départ, depósito, depósito de salida, deposito, deposito di partenza, magazijn, "
        "armazém, depósito de partida",
    ),
    "end_depot": (
        "end depot, return depot, enddepot, zieldepot, dépôt d'arrivée, dépôt de retour, "
        "depósito final, depósito de llegada, deposito finale, deposito di arrivo, einddepot, "
        "depósito de chegada",
    ),
    "fixed_cost": (
        "fixed cost, fixed costs, cost per day, fixkosten, tagessatz, coût fixe, coûts fixes, "
        "coste fijo, costes fijos, costo fijo, costo fisso, costi fissi, vaste kosten, custo fixo, "
        "custos fixos",
    ),
    "cost_per_distance": (
        "cost per distance, cost per km, cost per mile, kosten pro km, kosten je km, "
        "kilometerkosten, km-kosten, coût par km, coût kilométrique, coste por km, costo por km, "
        "costo per km, costo al km, kosten per km, custo por km",
    ),
    "cost_per_time": (
        "cost per time, cost per minute, kosten pro minute, kosten je minute, "
        "coût par minute, coste por minuto, costo por minuto, costo al minuto, costo per minuto, "
        "kosten per minuut, custo por minuto",
    ),
    "shift_start": (
        "shift start, start of shift, start time, schichtbeginn, schicht von, dienstbeginn, "
        "arbeitsbeginn, début de service, début de poste, inicio turno, inicio de turno, "
        "hora de inicio, inizio turno, start dienst, begin dienst, início do turno, início turno",
        "from, von, ab, de, desde, dalle, da, van, das, start, beginn, début, inicio, inizio, "
        "início",
    ),
    "shift_end": (
        "shift end, end of shift, end time, schichtende, schicht bis, dienstende, arbeitsende, "
        "fin de service, fin de poste, fin turno, fin de turno, hora de fin, fine turno, "
        "einde dienst, fim do turno, fim turno",
        "to, until, bis, à, jusqu'à, hasta, alle, a, tot, até, às, end, ende, fin, fine, einde, "
        "fim",
    ),
    "max_distance": (
        "max distance, maximum distance, range, max. distanz, max. strecke, max. km, reichweite, "
        "distance max, distance maximale, distancia máxima, distanza massima, "
        "maximale afstand, max afstand, distância máxima",
    ),
    "max_duration": (
        "max duration, maximum duration, max time, max. dauer, max. tourdauer, maximale dauer, "
        "durée max, durée maximale, duración máxima, durata massima, maximale duur, max duur, "
        "duração máxima",
    ),
    "max_stops": (
        "max stops, maximum stops, max. stopps, max. stops, arrêts max, nombre max d'arrêts, "
        "paradas máximas, máx. paradas, fermate massime, max fermate, maximaal aantal stops",
    ),
    "max_trips": (
        "max trips, trips, maximum trips, max. touren, max. fahrten, touren, tournées max, "
        "viajes máximos, máx. viajes, viaggi massimi, max viaggi, max ritten, ritten, "
        "viagens máximas, máx. viagens",
    ),
    "loading": (
        "loading, loading time, ladezeit, beladezeit, temps de chargement, tiempo de carga, "
        "tempo di carico, laadtijd, tempo de carga",
    ),
    "loading_per_unit": (
        "loading per unit, loading time per unit, ladezeit pro einheit, ladezeit je einheit, "
        "beladezeit je einheit, temps de chargement par unité, tiempo de carga por unidad, "
        "tempo di carico per unità, laadtijd per eenheid, tempo de carga por unidade",
    ),
    "min_load": (
        "min load, minimum load, mindestladung, mindestauslastung, charge minimale, "
        "carga mínima, carico minimo, minimale lading",
    ),
}
VISIT_NAMES: dict[str, Ranks] = {"id": ("id", "customer", "name")}  # of solutions: ours
