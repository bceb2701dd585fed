import java.awt.AWTEvent;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.Toolkit;
import java.awt.event.WindowEvent;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.swing.AbstractButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JMenuBar;
import javax.swing.JOptionPane;
import javax.swing.KeyStroke;
import javax.swing.SwingUtilities;
import javax.swing.text.JTextComponent;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

import VASSAL.Info;
import VASSAL.build.GameModule;
import VASSAL.build.module.ExtensionsLoader;
import VASSAL.build.module.Map;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.PredefinedSetup;
import VASSAL.build.module.PrivateMap;
import VASSAL.build.module.turn.TurnTracker;
import VASSAL.build.module.map.PieceMover;
import VASSAL.counters.Deck;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.KeyCommandSubMenu;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import VASSAL.i18n.Localization;
import VASSAL.launch.PlayerWindow;
import VASSAL.launch.StandardConfig;
import VASSAL.launch.StartUp;
import VASSAL.tools.DataArchive;
import VASSAL.tools.NamedKeyStroke;
import VASSAL.tools.menu.MenuBarProxy;
import VASSAL.tools.menu.MenuManager;

/**
 * Opens a module in VASSAL, then each of its set-ups, and says what it finds: one line a fact, fields separated by TABs,
 * with \\, \t and \n escaped. Arguments: module, folder for pictures, "yes" to try everything, then saves; a save whose
 * folder is called "seat" and a number is the same set-up from another seat, and is not painted.
 * The property vmodc.hexes may name a file of hexes, one a line: map, id, x, y, reach, board (pixels are the board's) or nothing.
 * The properties vmodc.moves and vmodc.saved may name a file of moves to be played, and a file to save the game to after them.
 *
 * It judges nothing. vmodc reads the lines and compares them with the build's manifest.
 */
public final class VmodcProbe {
  private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  private VmodcProbe() { }

  /** VASSAL insists on a menu manager; the player's window alone gets a menu bar. */
  private static final class Menus extends MenuManager {
    private final MenuBarProxy bar = new MenuBarProxy();

    @Override
    public JMenuBar getMenuBarFor(JFrame frame) {
      return frame instanceof PlayerWindow ? bar.createPeer() : null;
    }

    @Override
    public MenuBarProxy getMenuBarProxyFor(JFrame frame) {
      return frame instanceof PlayerWindow ? bar : null;
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static synchronized void say(Object... fields) {
    final List<String> texts = new ArrayList<>();
    for (final Object field : fields) {
      texts.add(String.valueOf(field).replace("\\", "\\\\").replace("\t", "\\t").replace("\r", "").replace("\n", "\\n"));
    }
    OUT.println(String.join("\t", texts));
  }

  /** Runs a step on the event thread and waits until everything it posted has run as well. */
  private static void onEvents(Step step) throws Exception {
    final Exception[] wrong = {null};
    SwingUtilities.invokeAndWait(() -> {
      try {
        step.run();
      }
      catch (Exception | LinkageError problem) {
        wrong[0] = problem instanceof Exception ? (Exception) problem : new Exception(problem);
      }
    });
    for (int i = 0; i < 4; i++) {
      SwingUtilities.invokeAndWait(() -> { });
      Thread.sleep(30);
    }
    if (wrong[0] != null) {
      throw wrong[0];
    }
  }

  /** The same for one of many small steps: nothing that takes long is waited for. */
  private static void quickly(Step step) throws Exception {
    final Exception[] wrong = {null};
    SwingUtilities.invokeAndWait(() -> {
      try {
        step.run();
      }
      catch (Exception | LinkageError problem) {
        wrong[0] = problem instanceof Exception ? (Exception) problem : new Exception(problem);
      }
    });
    for (int i = 0; i < 3; i++) {
      SwingUtilities.invokeAndWait(() -> { });
    }
    if (wrong[0] != null) {
      throw wrong[0];
    }
  }

  private static void listenToLog() {
    final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    final AppenderBase<ILoggingEvent> listener = new AppenderBase<>() {
      @Override
      protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
          final String cause = event.getThrowableProxy() == null ? "" : event.getThrowableProxy().getClassName() + ": " + event.getThrowableProxy().getMessage();
          say("LOG", event.getLevel(), event.getLoggerName(), event.getFormattedMessage(), cause);
        }
      }
    };
    listener.setContext(root.getLoggerContext());
    listener.start();
    root.addAppender(listener);
  }

  private static void listenToDialogs() {
    Toolkit.getDefaultToolkit().addAWTEventListener(event -> {
      if (event.getID() == WindowEvent.WINDOW_OPENED && event.getSource() instanceof Dialog) {
        final Dialog dialog = (Dialog) event.getSource();
        final boolean sheet = dialog.getClass().getName().startsWith("VASSAL.counters.PropertySheet");
        if (sheet || (asking && !complains(dialog))) { // a question that the player asked for
          say("ASKED", dialog.getTitle());
          SwingUtilities.invokeLater(dialog::dispose);
          return;
        }
        final List<String> words = new ArrayList<>();
        read(dialog, words);
        say("DIALOG", dialog.getTitle(), String.join(" | ", words).replaceAll("<[^>]*>", " ").replaceAll("\\s+", " "));
        SwingUtilities.invokeLater(dialog::dispose);
      }
    }, AWTEvent.WINDOW_EVENT_MASK);
  }

  /** Set while a button or command is tried that has to ask something: how many dice, which card, what number. */
  private static volatile boolean asking = false;

  private static boolean complains(Component part) {
    if (part instanceof JOptionPane) {
      final int kind = ((JOptionPane) part).getMessageType();
      return kind == JOptionPane.ERROR_MESSAGE || kind == JOptionPane.WARNING_MESSAGE;
    }
    if (part.getClass().getName().contains("BugDialog")) {
      return true;
    }
    if (part instanceof Container) {
      for (final Component inner : ((Container) part).getComponents()) {
        if (complains(inner)) {
          return true;
        }
      }
    }
    return false;
  }

  private static void read(Component part, List<String> words) {
    if (part instanceof AbstractButton) {
      words.add("[" + ((AbstractButton) part).getText() + "]");
    }
    else if (part instanceof JLabel && ((JLabel) part).getText() != null) {
      words.add(((JLabel) part).getText());
    }
    else if (part instanceof JTextComponent) {
      words.add(((JTextComponent) part).getText());
    }
    if (part instanceof Container) {
      for (final Component inner : ((Container) part).getComponents()) {
        read(inner, words);
      }
    }
  }

  private static void tellPieces() {
    final List<GamePiece> pieces = new ArrayList<>(GameModule.getGameModule().getGameState().getAllPieces());
    pieces.sort(Comparator.comparing((GamePiece piece) -> piece.getId().length()).thenComparing(GamePiece::getId));
    for (final GamePiece piece : pieces) {
      if (piece instanceof Stack) {
        continue;
      }
      final Map map = piece.getMap();
      final Point at = piece.getPosition();
      final Object gpid = piece.getProperty(Properties.PIECE_ID);
      final Object name = piece.getProperty("BasicName");
      say("PIECE", piece.getId(), gpid, name, map == null ? "" : map.getMapName(), at.x, at.y, map == null ? "" : map.locationName(at), piece.getName());
    }
  }

  /** How long calls of one kind took on this thread: its processor's time, so that other work on the machine does not count. */
  private static final class Clock {
    private long began;
    private long sum;
    private long worst;
    private int calls;

    void start() {
      began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    void stop() {
      final long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
      sum += took;
      worst = Math.max(worst, took);
      calls++;
    }

    /** Calls, then microseconds: the mean and the longest. */
    void tell(String word, String map, String what) {
      if (calls > 0) {
        say(word, map, what, calls, sum / calls / 1000, worst / 1000);
      }
    }
  }

  /** What the engine says of each hex in the list: where a point in it snaps to, its name, and where that name leads back. */
  private static void tellHexes(String list) throws Exception {
    int count = 0;
    final java.util.Map<String, Clock[]> clocks = new java.util.TreeMap<>();
    for (final String line : Files.readAllLines(new File(list).toPath(), StandardCharsets.UTF_8)) {
      final String[] field = line.split("\t", -1);
      final Map map = named(field[0]);
      final Point at = new Point(Integer.parseInt(field[2]), Integer.parseInt(field[3]));
      if (map != null && !field[5].isEmpty()) {
        final VASSAL.build.module.map.boardPicker.Board laid = map.getBoardByName(field[5]);
        if (laid == null) { // this set-up does without it
          count++;
          continue;
        }
        at.translate(laid.bounds().x, laid.bounds().y);
      }
      final int reach = Integer.parseInt(field[4]);
      count++;
      if (map == null || map.findBoard(at) == null) {
        say("HEX", field[0], field[1], "no board at " + at.x + "," + at.y);
        continue;
      }
      final Clock[] clock = clocks.computeIfAbsent(field[0], key -> new Clock[] {new Clock(), new Clock(), new Clock()});
      clock[0].start();
      final String name = map.locationName(at);
      clock[0].stop();
      if (!field[1].equals(name)) {
        say("HEX", field[0], field[1], "its centre is called " + name);
      }
      for (int i = 0; i < 5; i++) {
        final Point near = new Point(at.x + (i % 2 == 0 ? reach : -reach) * (i == 4 ? 0 : 1), at.y + (i < 2 ? reach : -reach) * (i == 4 ? 0 : 1));
        clock[1].start();
        final Point snapped = map.snapTo(near);
        clock[1].stop();
        if (!snapped.equals(at)) {
          say("HEX", field[0], field[1], "a piece put down at " + near.x + "," + near.y + " snaps to " + snapped.x + "," + snapped.y + ", not to " + at.x + "," + at.y);
        }
      }
      final VASSAL.build.module.map.boardPicker.Board board = map.findBoard(at);
      try {
        clock[2].start();
        final Point back = board.getGrid().getLocation(field[1]);
        clock[2].stop();
        back.translate(board.bounds().x, board.bounds().y);
        final Point home = map.snapTo(back);
        if (!home.equals(at)) {
          say("HEX", field[0], field[1], "its name leads to " + home.x + "," + home.y + ", not to " + at.x + "," + at.y);
        }
      }
      catch (VASSAL.build.module.map.boardPicker.board.MapGrid.BadCoords problem) {
        say("HEX", field[0], field[1], "its name leads nowhere: " + problem.getMessage());
      }
    }
    for (final java.util.Map.Entry<String, Clock[]> entry : clocks.entrySet()) {
      entry.getValue()[0].tell("LOOKUP", entry.getKey(), "name");
      entry.getValue()[1].tell("LOOKUP", entry.getKey(), "snap");
      entry.getValue()[2].tell("LOOKUP", entry.getKey(), "find");
    }
    say("HEXES", count);
  }

  /** Each map that is larger than its window is zoomed through all steps, and moved across at each, as a player would. */
  private static void tellMotion() throws Exception {
    for (final Map map : Map.getMapList()) {
      final Rectangle seen = map.getView() == null ? new Rectangle() : map.getView().getVisibleRect();
      final Dimension whole = map.mapSize();
      if (map.getZoomer() == null || seen.isEmpty() || (whole.width <= seen.width && whole.height <= seen.height)) {
        continue;
      }
      final Clock zooms = new Clock();
      final Clock pans = new Clock();
      final long[] whole_ms = {0};
      double before = -1;
      while (map.getZoom() != before) { // from far off to near
        before = map.getZoom();
        onEvents(map.getZoomer()::zoomOut);
      }
      before = -1;
      while (map.getZoom() != before) {
        before = map.getZoom();
        for (int step = 0; step < 12; step++) {
          final int way = step < 6 ? 1 : -1;
          moved(map, pans, whole_ms, () -> map.scroll(way * seen.width / 3, way * seen.height / 3));
        }
        moved(map, zooms, whole_ms, map.getZoomer()::zoomIn);
      }
      zooms.tell("MOTION", map.getMapName(), "zoom");
      pans.tell("MOTION", map.getMapName(), "pan");
      say("WHOLE", map.getMapName(), whole_ms[0]);
    }
    System.gc();
    final Runtime memory = Runtime.getRuntime();
    say("MEMORY", (memory.totalMemory() - memory.freeMemory()) / 1048576, memory.maxMemory() / 1048576);
  }

  /** One step of a map: the time in which the window does not answer, then the wait until the last tile is there. */
  private static void moved(Map map, Clock clock, long[] whole, Step step) throws Exception {
    final javax.swing.JComponent view = map.getView();
    final Rectangle[] seen = {null};
    SwingUtilities.invokeAndWait(() -> {
      try {
        clock.start();
        step.run();
        view.paintImmediately(view.getVisibleRect());
        clock.stop();
      }
      catch (Exception problem) {
        throw new IllegalStateException(problem);
      }
      seen[0] = view.getVisibleRect();
    });
    final long began = System.nanoTime();
    final BufferedImage image = new BufferedImage(seen[0].width, seen[0].height, BufferedImage.TYPE_INT_RGB);
    final Graphics2D graphics = image.createGraphics();
    graphics.translate(-seen[0].x, -seen[0].y);
    // Not from this thread: the engine counts its guard against endless loops without a lock, and a second painter confuses it.
    SwingUtilities.invokeAndWait(() -> map.paintRegion(graphics, seen[0], null));
    graphics.dispose();
    whole[0] = Math.max(whole[0], (System.nanoTime() - began) / 1000000);
  }

  private static Map named(String name) {
    for (final Map map : Map.getMapList()) {
      if (name.equals(map.getMapName())) {
        return map;
      }
    }
    return null;
  }

  /** Every map painted to a file: pictures are decoded only when they are drawn, and only then are missing ones reported. */
  private static void paint(File folder, String prefix) throws Exception {
    int number = 0;
    for (final Map map : Map.getMapList()) {
      final Dimension whole = map.mapSize();
      final Dimension size = new Dimension((int) (whole.width * map.getZoom()), (int) (whole.height * map.getZoom()));
      if (size.width <= 0 || size.height <= 0) {
        say("EMPTY", map.getMapName());
        continue;
      }
      final BufferedImage image = new BufferedImage(size.width, size.height, BufferedImage.TYPE_INT_RGB);
      for (int pass = 0; pass < 2; pass++) {
        onEvents(() -> {
          final Graphics2D graphics = image.createGraphics();
          graphics.setClip(0, 0, size.width, size.height);
          map.paintRegion(graphics, new Rectangle(0, 0, size.width, size.height), null);
          graphics.dispose();
        });
        Thread.sleep(250);
      }
      final File file = new File(folder, prefix + "-map" + ++number + ".png");
      ImageIO.write(image, "png", file);
      say("SHOT", file.getName());
    }
    final File screen = new File(folder, prefix + "-screen.png");
    final Dimension display = Toolkit.getDefaultToolkit().getScreenSize();
    ImageIO.write(new Robot().createScreenCapture(new Rectangle(display)), "png", screen);
    say("SHOT", screen.getName());
  }

  /** One piece is dragged to where another stands, as a player would, and the report of it is read from the chat. */
  private static void tryMove() throws Exception {
    final GameModule module = GameModule.getGameModule();
    GamePiece piece = null;
    Point to = null;
    for (final GamePiece other : module.getGameState().getAllPieces()) {
      if (other instanceof Stack || other.getMap() == null) {
        continue;
      }
      if (piece == null) {
        piece = other;
      }
      else if (to == null && other.getMap() == piece.getMap() && !other.getMap().locationName(other.getPosition()).equals(piece.getMap().locationName(piece.getPosition()))) {
        to = new Point(other.getPosition());
      }
    }
    if (to == null) {
      return;
    }
    final GamePiece moved = piece;
    final Point target = to;
    final String from = moved.getMap().locationName(moved.getPosition());
    onEvents(() -> {
      DragBuffer.getBuffer().clear();
      DragBuffer.getBuffer().add(moved);
      for (final PieceMover mover : moved.getMap().getComponentsOf(PieceMover.class)) {
        module.sendAndLog(mover.movePieces(moved.getMap(), target));
      }
    });
    say("MOVED", moved.getLocalizedName(), from, moved.getMap().locationName(moved.getPosition()), lastOfChat());
  }

  private static String lastOfChat() {
    final List<String> words = new ArrayList<>();
    read(GameModule.getGameModule().getChatter(), words);
    final String[] lines = String.join("\n", words).replaceAll("<[^>]*>", "").split("\n");
    String last = "";
    for (final String line : lines) {
      if (!line.isBlank() && !line.startsWith("[")) {
        last = line.trim();
      }
    }
    return last;
  }

  /** What a seat sees: the pieces that are hidden from it, and the windows that it can open. */
  private static void tellSeat() {
    for (final GamePiece piece : GameModule.getGameModule().getGameState().getAllPieces()) {
      if (!(piece instanceof Stack) && Boolean.TRUE.equals(piece.getProperty(Properties.OBSCURED_TO_ME)) && !(piece.getParent() instanceof Deck)) {
        say("HIDDEN", piece.getId());
      }
    }
    for (final Map map : Map.getMapList()) {
      say("WINDOW", map.getMapName(), !(map instanceof PrivateMap) || ((PrivateMap) map).isVisibleTo(PlayerRoster.getMySide()), !(map instanceof PrivateMap) || ((PrivateMap) map).isAccessibleTo(PlayerRoster.getMySide()));
    }
  }

  /** One piece of each kind and each deck is given each command of its menu. */
  private static void tryCommands() throws Exception {
    final GameModule module = GameModule.getGameModule();
    final Set<Object> seen = new HashSet<>();
    for (final GamePiece piece : new ArrayList<>(module.getGameState().getAllPieces())) {
      final boolean deck = piece instanceof Deck;
      if ((piece instanceof Stack && !deck) || !seen.add(deck ? ((Deck) piece).getDeckName() : piece.getProperty(Properties.PIECE_ID))) {
        continue;
      }
      if (Boolean.TRUE.equals(piece.getProperty(Properties.RESTRICTED))) {
        continue; // the menu of another seat's piece does not open
      }
      final Object commands = piece.getProperty(Properties.KEY_COMMANDS);
      final KeyCommand[] offered = commands instanceof KeyCommand[] ? (KeyCommand[]) commands : new KeyCommand[0];
      for (int i = offered.length - 1; i >= 0; i--) { // removal comes first in a menu and must be tried last
        final KeyCommand command = offered[i];
        if (command.isMenuSeparator() || command instanceof KeyCommandSubMenu || command.getName().isEmpty()) {
          continue;
        }
        final String name = deck ? ((Deck) piece).getDeckName() : piece.getName();
        final VASSAL.command.Command[] done = {null};
        asking = deck;
        quickly(() -> {
          if (deck) { // a deck's commands do their work themselves
            command.actionPerformed(new java.awt.event.ActionEvent(piece, 0, ""));
          }
          else {
            KeyBuffer.getBuffer().clear();
            KeyBuffer.getBuffer().add(piece);
            done[0] = KeyBuffer.getBuffer().keyCommand(command.getKeyStroke());
            module.sendAndLog(done[0]);
          }
        });
        asking = false;
        say("COMMAND", name, command.getName(), command.getLocalizedMenuText(), lastOfChat());
        if (!deck && piece.getMap() == null) { // removed or replaced: it is taken back, so that the rest can be tried
          quickly(() -> done[0].getUndoCommand().execute());
        }
      }
    }
  }

  /** The turn goes forward until it is where it began, or far enough; then some steps back. */
  private static void tryTurns() throws Exception {
    final GameModule module = GameModule.getGameModule();
    for (final TurnTracker tracker : module.getAllDescendantComponentsOf(TurnTracker.class)) {
      final String start = tracker.getState();
      for (int i = 0; i < 150; i++) {
        press(tracker.getAttributeValueString(TurnTracker.NEXT_HOT_KEY));
        say("TURN", tracker.getState(), lastOfChat());
        if (start.equals(tracker.getState())) {
          break;
        }
      }
      for (int i = 0; i < 5; i++) {
        press(tracker.getAttributeValueString(TurnTracker.PREV_HOT_KEY));
        say("TURN", tracker.getState(), lastOfChat());
      }
    }
  }

  private static void press(String key) throws Exception {
    final String[] parts = key == null ? new String[0] : key.split(",");
    if (parts.length == 2) {
      final KeyStroke stroke = KeyStroke.getKeyStroke(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]) & 0x3c0);
      quickly(() -> GameModule.getGameModule().fireKeyStroke(NamedKeyStroke.of(stroke)));
    }
  }

  /** Every button of every toolbar, but those that would write a file or change the seat; and every page of the help menu. */
  private static void tryButtons() throws Exception {
    final GameModule module = GameModule.getGameModule();
    final List<AbstractButton> buttons = new ArrayList<>();
    gather(module.getToolBar(), buttons);
    for (final Map map : Map.getMapList()) {
      gather(map.getToolBar(), buttons);
    }
    final Set<Object> left = new HashSet<>();
    for (final VASSAL.build.module.map.ImageSaver saver : module.getAllDescendantComponentsOf(VASSAL.build.module.map.ImageSaver.class)) {
      left.add(saver.getAttributeValueString("tooltip"));
    }
    for (final VASSAL.build.module.map.TextSaver saver : module.getAllDescendantComponentsOf(VASSAL.build.module.map.TextSaver.class)) {
      left.add(saver.getAttributeValueString("tooltip"));
    }
    for (final PlayerRoster roster : module.getComponentsOf(PlayerRoster.class)) {
      left.add(roster.getAttributeValueString(PlayerRoster.TOOL_TIP));
    }
    asking = true;
    for (final AbstractButton button : buttons) {
      if (button.isEnabled() && !left.contains(button.getToolTipText())) {
        say("BUTTON", button.getText(), button.getToolTipText());
        for (int i = 0; i < 2; i++) { // a window that was opened is closed again
          quickly(button::doClick);
        }
        SwingUtilities.invokeAndWait(() -> javax.swing.MenuSelectionManager.defaultManager().clearSelectedPath());
      }
    }
    for (final VASSAL.build.module.documentation.HelpFile page : module.getAllDescendantComponentsOf(VASSAL.build.module.documentation.HelpFile.class)) {
      say("HELP", page.getConfigureName());
      quickly(page::showWindow);
    }
    asking = false;
  }

  private static void gather(Component part, List<AbstractButton> found) {
    if (part instanceof AbstractButton && part.isVisible()) {
      found.add((AbstractButton) part);
    }
    if (part instanceof Container) {
      for (final Component inner : ((Container) part).getComponents()) {
        gather(inner, found);
      }
    }
  }

  /** The entries of the scenario menu as the module has them, each begun as a player would; the seat is asked for. */
  private static void tryMenu() throws Exception {
    final GameModule module = GameModule.getGameModule();
    asking = true;
    for (final PredefinedSetup entry : module.getAllDescendantComponentsOf(PredefinedSetup.class)) {
      if (!entry.isMenu()) {
        module.getGameState().setModified(false);
        onEvents(entry::launch);
        say("MENU", entry.getConfigureName(), lastOfChat());
      }
    }
    asking = false;
  }

  private static Map mapCalled(String name) {
    for (final Map map : Map.getMapList()) {
      if (name.equals(map.getMapName())) {
        return map;
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** Plays one line of moves: "move" piece x y, and a map if it is another one (a drag, as a player does it), "key" piece command, "turn" (one step on). */
  private static void play(String[] field) {
    final GameModule module = GameModule.getGameModule();
    if ("turn".equals(field[0])) {
      for (final TurnTracker tracker : module.getAllDescendantComponentsOf(TurnTracker.class)) {
        final String[] parts = String.valueOf(tracker.getAttributeValueString(TurnTracker.NEXT_HOT_KEY)).split(",");
        module.fireKeyStroke(NamedKeyStroke.of(KeyStroke.getKeyStroke(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]) & 0x3c0)));
        say("TURN", tracker.getState());
      }
      return;
    }
    final GamePiece piece = module.getGameState().getPieceForId(field[1]);
    if (piece == null) {
      say("NOPIECE", field[1]);
      return;
    }
    if ("key".equals(field[0])) {
      for (final KeyCommand command : (KeyCommand[]) piece.getProperty(Properties.KEY_COMMANDS)) {
        if (field[2].equals(command.getName())) {
          KeyBuffer.getBuffer().clear();
          KeyBuffer.getBuffer().add(piece);
          module.sendAndLog(KeyBuffer.getBuffer().keyCommand(command.getKeyStroke()));
        }
      }
    }
    else {
      DragBuffer.getBuffer().clear();
      DragBuffer.getBuffer().add(piece);
      final Map target = field.length > 4 ? mapCalled(field[4]) : piece.getMap();
      for (final PieceMover mover : target.getComponentsOf(PieceMover.class)) {
        module.sendAndLog(mover.movePieces(target, new Point(Integer.parseInt(field[2]), Integer.parseInt(field[3]))));
      }
    }
    say("PLAYED", piece.getLocalizedName(), piece.getMap() == null ? "" : piece.getMap().locationName(piece.getPosition()));
  }

  private static void playAll(String moves, String saved) throws Exception {
    for (final String line : Files.readAllLines(new File(moves).toPath(), StandardCharsets.UTF_8)) {
      onEvents(() -> play(line.split("\t", -1)));
    }
    onEvents(() -> GameModule.getGameModule().getGameState().saveGame(new File(saved)));
    say("SAVED", saved);
  }

  public static void main(String[] arguments) throws Exception {
    Info.setConfig(new StandardConfig());
    listenToLog();
    listenToDialogs();
    final StartUp start = new StartUp();
    start.startErrorLog();
    start.initSystemProperties();
    new Menus();
    say("ENGINE", Info.getVersion());
    int code = 0;
    try {
      visit(arguments);
    }
    catch (Exception | LinkageError problem) {
      Throwable cause = problem;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      say("CRASH", cause);
      code = 1;
    }
    say("END");
    Runtime.getRuntime().halt(code); // no question whether to save, no preferences written
  }

  /** Milliseconds of the processor that this thread, which does all the loading, has had: other work on the machine does not count. */
  private static long spent() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1000000;
  }

  private static void visit(String[] arguments) throws Exception {
    final File folder = new File(arguments[1]);
    final long[] began = {0};
    onEvents(() -> {
      began[0] = spent();
      GameModule.init(new GameModule(new DataArchive(new File(arguments[0]).getPath())));
      new ExtensionsLoader().addTo(GameModule.getGameModule());
      Localization.getInstance().translate();
      GameModule.getGameModule().getPlayerWindow().setVisible(true);
      say("TIME", "module", spent() - began[0]);
    });
    Thread.sleep(500);
    final GameModule module = GameModule.getGameModule();
    say("MODULE", module.getGameName(), module.getGameVersion());
    final boolean thorough = "yes".equals(arguments[2]);
    final Set<String> seats = new HashSet<>();
    for (int i = 3; i < arguments.length; i++) {
      final File save = new File(arguments[i]);
      final String home = save.getParentFile().getName();
      final String seat = home.startsWith("seat") ? "-" + home : "";
      say("SETUP", save.getName(), seat);
      onEvents(() -> {
        if (module.getGameState().isSaveMetaDataValid(save)) {
          began[0] = spent();
          module.getGameState().loadGameInForeground(save);
          say("TIME", save.getName(), spent() - began[0]);
        }
        else {
          say("REFUSED", save.getName());
        }
      });
      onEvents(VmodcProbe::tellPieces);
      say("SIDE", PlayerRoster.getMySide());
      say("LOADED", save.getName(), module.getGameState().isGameStarted());
      onEvents(VmodcProbe::tellSeat);
      final String picture = save.getName().replaceAll("\\.vsav$", "") + seat;
      if (seats.add(seat) || seat.isEmpty()) {
        paint(folder, picture);
      }
      if (thorough) {
        tryMove();
        tryCommands();
        tryTurns();
        if (seat.isEmpty()) {
          paint(folder, picture + "-after");
        }
        module.getGameState().setModified(false); // else the next one would ask whether to save this one
      }
    }
    final String hexes = System.getProperty("vmodc.hexes");
    if (hexes != null) {
      onEvents(() -> tellHexes(hexes));
    }
    tellMotion();
    final String moves = System.getProperty("vmodc.moves");
    if (moves != null) {
      playAll(moves, System.getProperty("vmodc.saved"));
    }
    if (thorough) {
      tryButtons();
      tryMenu();
    }
  }
}
