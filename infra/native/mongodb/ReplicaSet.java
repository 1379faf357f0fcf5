import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What the only member of a replica set adds to a server: its description, times of operations, and sessions whose retried writes are applied
 * once. All data is on one server, so a read sees every write before it, whatever its read concern is.
 */
final class ReplicaSet {
  private static final int sessionMinutes = 30;

  private final String name;
  private final String member;
  /** The last write with a transaction number of each session: the number, the answer to it, and the time. */
  private final Map<UUID, Document> lastWrites;
  private BsonTimestamp time = new BsonTimestamp(0);

  /** `place` is `<replica set>/<host>:<port>`. */
  ReplicaSet(String place, Map<UUID, Document> lastWrites) {
    String[] parts = place.split("/", 2);
    name = parts[0];
    member = parts[1];
    this.lastWrites = lastWrites;
    Instant expired = Instant.now().minus(Duration.ofMinutes(sessionMinutes));
    for (UUID session : List.copyOf(lastWrites.keySet()))
      if (((Instant) lastWrites.get(session).get("at")).isBefore(expired)) lastWrites.remove(session);
  }

  /** Completes an answer to `hello`, or to `isMaster`, its older name. */
  Document describe(Document hello) {
    return new Document(hello)
        .append("isWritablePrimary", true)
        .append("helloOk", true)
        .append("secondary", false)
        .append("setName", name)
        .append("setVersion", 1)
        .append("hosts", List.of(member))
        .append("primary", member)
        .append("me", member)
        .append("logicalSessionTimeoutMinutes", sessionMinutes);
  }

  /** Runs a command under the sessions' rules. The caller lets in one command at a time. */
  Document run(Document command, Supplier<Document> execute) {
    if (command.containsKey("autocommit"))
      throw new MongoServerError(115, "CommandNotSupported", "This stand-in for MongoDB has no transactions.");
    if (command.get("endSessions") instanceof List)
      for (Object session : (List<?>) command.get("endSessions")) lastWrites.remove(idOf(session));
    Document answer = command.containsKey("txnNumber") ? runOnce(command, execute) : execute.get();
    if (answer == null) return null;
    BsonTimestamp now = nextTime(command);
    Document signature = new Document("hash", new BinData(new byte[20])).append("keyId", 0L);
    return answer
        .cloneDeeply()
        .append("operationTime", now)
        .append("$clusterTime", new Document("clusterTime", now).append("signature", signature));
  }

  /** A driver that got no answer sends its write again, under the same number: it gets the first answer. */
  private Document runOnce(Document command, Supplier<Document> execute) {
    UUID session = idOf(command.get("lsid"));
    long number = ((Number) command.get("txnNumber")).longValue();
    Document last = lastWrites.get(session);
    long lastNumber = last == null ? -1 : (Long) last.get("number");
    if (number < lastNumber)
      throw new MongoServerError(225, "TransactionTooOld", "The session has begun transaction " + lastNumber + ".");
    if (number == lastNumber) return (Document) last.get("answer");
    Document answer = execute.get().cloneDeeply();
    lastWrites.put(session, new Document("number", number).append("answer", answer).append("at", Instant.now()));
    return answer;
  }

  private static UUID idOf(Object session) {
    return (UUID) ((Document) session).get("id");
  }

  /** Later than every time that this server or its client has mentioned. */
  private BsonTimestamp nextTime(Document command) {
    for (String field : List.of("$clusterTime.clusterTime", "readConcern.afterClusterTime")) {
      String[] path = field.split("\\.");
      Object told = command.get(path[0]) instanceof Document ? ((Document) command.get(path[0])).get(path[1]) : null;
      if (told instanceof BsonTimestamp && time.compareTo((BsonTimestamp) told) < 0) time = (BsonTimestamp) told;
    }
    Instant now = Instant.now();
    time = now.getEpochSecond() > time.getTime() ? new BsonTimestamp(now, 1) : new BsonTimestamp(time.getValue() + 1);
    return time;
  }
}
