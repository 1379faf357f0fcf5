import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.KeyConstraintError;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.util.List;

/**
 * A MongoDB-compatible stand-in for tests on machines where MongoDB itself can't be had: mongo-java-server on an H2 file.
 * It is no MongoDB. It has no transactions, loses acknowledged writes when it is killed unless it is told to keep each
 * (CAIRN_MONGODB_KEEP=each, some times slower), and its atomicity is that of the lock below, so nothing seen against it is
 * evidence about MongoDB.
 *
 * It passes for a replica set, so that clients send it what they send in production: sessions, numbered writes, read and write concerns. It
 * replicates nothing. What it proves is that commands are well-formed and that a numbered write is applied once. It proves nothing of
 * elections, of majorities, of stale primaries, of a read's place among writes on other members, nor that MongoDB accepts each combination
 * of read concern, session and command: this server ignores read and write concerns.
 */
public final class Main {
  /** Current drivers refuse a server that speaks an older protocol than this. */
  private static final class Claims implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(4, 4, 0);
    }

    @Override
    public int getWireVersion() {
      return 9;
    }
  }

  /**
   * One message at a time, and answers that share nothing with the store. Otherwise the document an update returns is still
   * the stored one while it is written to the wire, and shows what a later update made of it.
   */
  private static final class Isolated extends H2Backend {
    private final boolean keepsEach = "each".equals(System.getenv("CAIRN_MONGODB_KEEP"));
    private final ReplicaSet replicaSet;

    Isolated(String file, String place) {
      super(file);
      replicaSet = new ReplicaSet(place, getMvStore().openMap("lastWrites"));
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
      if (command.equals("hello") || command.equalsIgnoreCase("isMaster"))
        return replicaSet.describe(super.handleCommand(channel, database, "isMaster", query));
      // The server itself answers as if the collection were there and had no index.
      if (command.equals("listIndexes") && resolveDatabase(database).resolveCollection((String) query.get(command), false) == null)
        throw new MongoServerError(26, "NamespaceNotFound", "ns does not exist: " + database + "." + query.get(command));
      return super.handleCommand(channel, database, command, query);
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
      return new H2Database(name, getMvStore(), getCursorRegistry()) {
        @Override
        protected Index<Object> openOrCreateUniqueIndex(String collection, String index, List<IndexKey> keys, boolean sparse) {
          Index<Object> opened = super.openOrCreateUniqueIndex(collection, index, keys, sparse);
          return ById.isOf(keys) ? new ById(opened, index, keys, sparse) : opened;
        }
      };
    }

    @Override
    public synchronized Document handleMessage(MongoMessage message) {
      Document answer = replicaSet.run(message.getDocument(), () -> super.handleMessage(message));
      if (!keepsEach) return answer;
      try {
        // What is acknowledged is in the file, out of reach of whatever becomes of this process.
        commit();
      } catch (RuntimeException failure) {
        // The disk is full, or gone. Like MongoDB, it ends rather than go on with what it can't keep.
        failure.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
      return answer;
    }
  }

  /** The index of `_id`, also for queries that ask for more than `_id`: the server itself looks at every document for those. */
  private static final class ById extends Index<Object> {
    private final Index<Object> index;

    ById(Index<Object> index, String name, List<IndexKey> keys, boolean sparse) {
      super(name, keys, sparse);
      this.index = index;
    }

    static boolean isOf(List<IndexKey> keys) {
      return keys.size() == 1 && keys.get(0).getKey().equals("_id");
    }

    /** All conditions of a query hold together, so that what one of them admits is enough to look at. */
    private static Document idOf(Document query) {
      return query.containsKey("_id") ? new Document("_id", query.get("_id")) : query;
    }

    @Override
    public boolean canHandle(Document query) {
      return index.canHandle(idOf(query));
    }

    @Override
    public Iterable<Object> getPositions(Document query) {
      return index.getPositions(idOf(query));
    }

    @Override
    public Object getPosition(Document document) {
      return index.getPosition(document);
    }

    @Override
    public void checkAdd(Document document, MongoCollection<Object> collection) {
      index.checkAdd(document, collection);
    }

    @Override
    public void add(Document document, Object position, MongoCollection<Object> collection) {
      index.add(document, position, collection);
    }

    @Override
    public Object remove(Document document) {
      return index.remove(document);
    }

    @Override
    public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
      index.checkUpdate(before, after, collection);
    }

    @Override
    public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection)
        throws KeyConstraintError {
      index.updateInPlace(before, after, position, collection);
    }

    @Override
    public long getCount() {
      return index.getCount();
    }

    @Override
    public long getDataSize() {
      return index.getDataSize();
    }

    @Override
    public boolean isUnique() {
      return index.isUnique();
    }

    @Override
    public void drop() {
      index.drop();
    }
  }

  /** Port, file, and `<replica set>/<host>:<port>`; in a container also the address to listen on. */
  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    String address = arguments.length > 3 ? arguments[3] : "127.0.0.1";
    MongoServer server = new MongoServer(new Isolated(arguments[1], arguments[2]).version(new Claims()));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
    server.bind(address, port);
    Thread.currentThread().join();
  }
}
